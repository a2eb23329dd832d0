// Setting up positions, the engine's settings, looks, and the board by keyboard.

import { expect, test } from './server';

test('a position is set up by clicks and put on the board', async ({ game, page }) => {
  await page.getByRole('button', { name: 'Board editor' }).click();
  const dialog = page.getByRole('dialog', { name: 'Board editor' });
  const board = page.locator('#editor-board cg-board');
  const box = (await board.boundingBox())!;
  const at = (square: string) => ({
    x: box.x + ((square.charCodeAt(0) - 96.5) * box.width) / 8,
    y: box.y + ((8.5 - Number(square[1])) * box.height) / 8,
  });
  const click = async (square: string) => page.mouse.click(at(square).x, at(square).y);
  await dialog.getByRole('button', { name: 'Clear board' }).click();
  for (const [piece, square] of [['white king', 'e1'], ['black king', 'e8'], ['white rook', 'h1'], ['black pawn', 'a2']] as const) {
    await dialog.getByRole('button', { name: piece }).click();
    await click(square);
  }
  await expect(page.locator('#editor-fen')).toHaveValue('4k3/8/8/8/8/8/p7/4K2R w - - 0 1');
  await dialog.getByRole('button', { name: 'Remove pieces' }).click();
  await click('a2');
  await dialog.getByLabel('White O-O', { exact: true }).check();
  await dialog.getByLabel('To move').selectOption('Black');
  await expect(page.locator('#editor-fen')).toHaveValue('4k3/8/8/8/8/8/8/4K2R b K - 0 1');
  // Dragged instead.
  await dialog.getByRole('button', { name: 'Move pieces', exact: true }).click();
  await page.mouse.move(at('e8').x, at('e8').y);
  await page.mouse.down();
  await page.mouse.move(at('d8').x, at('d8').y, { steps: 4 });
  await page.mouse.up();
  await expect(page.locator('#editor-fen')).toHaveValue('3k4/8/8/8/8/8/8/4K2R b K - 0 1');
  await dialog.getByRole('button', { name: 'Set up' }).click();
  await expect(dialog).toBeHidden();
  await expect(game.status).toContainText('Black to move');
  await game.stands('king d8', 'Black');
  // What cannot be played is said, and nothing is lost.
  await page.getByRole('button', { name: 'Board editor' }).click();
  await dialog.getByRole('button', { name: 'Clear board' }).click();
  await dialog.getByRole('button', { name: 'Set up' }).click();
  await expect(page.locator('#editor-problem')).toContainText('cannot be played');
  await dialog.getByRole('button', { name: 'Start position' }).click();
  await dialog.getByRole('button', { name: 'Play from here…' }).click();
  await expect(page.locator('#new-dialog')).toBeVisible();
  await expect(page.locator('#start-fen')).toHaveValue(/^rnbqkbnr/);
});

test('threads, hash, tables and book are checked and kept', async ({ game, page }) => {
  await page.getByRole('button', { name: 'Settings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByLabel('Hash in MB').fill('32');
  await dialog.getByLabel('Opening book').fill('/nowhere/book.bin');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(page.locator('#engine-problem')).toContainText('the book');
  await dialog.getByLabel('Opening book').fill('');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(page.locator('#engine-problem')).toContainText('Applied');
  await page.reload();
  await game.isReady();
  await page.getByRole('button', { name: 'Settings' }).click();
  await expect(dialog.getByLabel('Hash in MB')).toHaveValue('32');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Analyse' }).click();
  await expect(page.locator('#think-lines li')).toHaveCount(3);
});

test('other pieces and another size are remembered', async ({ game, page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('combobox', { name: 'Pieces' }).selectOption('font');
  await page.getByRole('button', { name: 'Done' }).click();
  const content = () => page.locator('cg-board piece.king.white').first().evaluate((piece) => getComputedStyle(piece, '::before').content);
  expect(await content()).toContain('♚');
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('combobox', { name: 'Pieces' }).selectOption('flat');
  const king = page.locator('#board piece.king.white');
  await expect(king).toHaveCSS('background-image', /data:image\/svg\+xml/);
  expect(await content()).toBe('none');
  await page.getByRole('combobox', { name: 'Pieces' }).selectOption('font');
  await page.getByRole('button', { name: 'Done' }).click();
  const width = async () => (await page.locator('cg-board').boundingBox())!.width;
  const before = await width();
  const corner = (await page.locator('#resize').boundingBox())!;
  await page.mouse.move(corner.x + 8, corner.y + 8);
  await page.mouse.down();
  await page.mouse.move(corner.x - 192, corner.y - 192, { steps: 5 });
  await page.mouse.up();
  await expect.poll(width).toBeLessThan(before - 120);
  const small = await width();
  await page.reload();
  await game.isReady();
  expect(await width()).toBe(small);
  expect(await content()).toContain('♚');
  await game.newGame('human', 'human');
  await game.play('e2', 'e4', 'e4');
  await page.locator('#resize').press('ArrowRight');
  await expect.poll(width).toBeGreaterThan(small);
});

test('the board by keyboard alone', async ({ game, page }) => {
  await game.newGame('human', 'human');
  await page.locator('#board-box').focus();
  await expect(page.locator('#cursor-text')).toHaveText('e2, white pawn');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(page.locator('#cursor-text')).toHaveText('e4');
  await page.keyboard.press('Enter');
  await game.played(1, 'e4');
  await page.keyboard.press('f');
  // Turned round, up is down.
  await page.keyboard.press('ArrowDown');
  await expect(page.locator('#cursor-text')).toHaveText('e5');
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
  await game.played(2, 'e6');
});

test('everything by keyboard alone', async ({ game, page }) => {
  const { keyboard } = page;
  const press = async (...keys: string[]) => {
    for (const key of keys) await keyboard.press(key);
  };
  const focus = async (name: string) => {
    for (let steps = 0; steps < 80; steps += 1) {
      await keyboard.press('Tab');
      const focused = await page.evaluate(() => {
        const { activeElement: it } = document;
        return it?.getAttribute('aria-label') ?? (it as HTMLInputElement | null)?.labels?.[0]?.textContent ?? it?.textContent ?? '';
      });
      if (focused.trim().startsWith(name)) return;
    }
    throw new Error(`tab never came to ${name}`);
  };
  // A game of two, from a FEN.
  await focus('New game');
  await press('Enter');
  await expect(page.locator('#new-dialog')).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Gambeson', exact: true })).toBeFocused();
  await press('ArrowDown');
  await focus('Position');
  await keyboard.type('From');
  await focus('FEN');
  await keyboard.type('4k3/8/8/8/8/8/4P3/4K3 w - - 0 1');
  await press('Enter');
  await expect(page.locator('#new-dialog')).toBeHidden();
  await focus('Type a move');
  await keyboard.type('e4');
  await press('Enter');
  await game.played(1, 'e4');
  await focus('Squares;');
  await press(...Array<string>(6).fill('ArrowUp'), 'Enter', 'ArrowDown', 'Enter');
  await game.played(2, 'Ke7');
  // A variation with a glyph and a comment, which becomes the main line.
  await page.locator('#moves').focus();
  await press('ArrowLeft', 'a');
  await focus('Type a move');
  await keyboard.type('Kd7');
  await press('Enter');
  await expect(page.locator('.variation')).toContainText('Kd7');
  await focus('good move');
  await press('Enter');
  await press('c');
  await keyboard.type('closer');
  await press('Enter');
  await expect(page.locator('.variation .comment')).toHaveText('closer');
  await press('m');
  await expect(game.moves).toHaveText([/^e4/, /^Kd7!/]);
  await press('a');
  // The list of games and back.
  await press('g');
  await expect(page.locator('#games-list')).toBeFocused();
  await press('Enter');
  await expect(page.locator('#games-dialog')).toBeHidden();
  await press('?');
  await expect(page.locator('#help-dialog')).toBeVisible();
  await press('Escape');
  await expect(page.locator('#help-dialog')).toBeHidden();
});
