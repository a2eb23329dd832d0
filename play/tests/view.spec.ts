// What is shown belongs to the position on the board, and covers nothing.

import { expect, test } from './server';

test('the engine’s line is about the position shown', async ({ game, page }) => {
  await game.newGame('engine', 'engine', '7k/8/8/8/8/8/R7/1R4K1 w - - 0 1');
  await expect(game.status).toContainText('White wins by checkmate.');
  await expect(page.locator('#think-score')).toHaveText('1-0');
  await expect(page.locator('#think-lines')).toContainText('The game is over.');
  await expect(page.locator('#bar')).toHaveAttribute('aria-label', 'The game is over: 1-0');
  await game.moves.nth(0).click();
  // What the engine thought of this move, and no line of another position.
  const thought = await game.moves.nth(0).locator('.eval').innerText();
  await expect(page.locator('#think-score')).toHaveText(thought);
  await expect(page.locator('#think-lines .pv-move')).toHaveCount(0);
});

test('a line of the analysis does not stay when the game comes back', async ({ game, page }) => {
  await game.load('1. e4 e5');
  await game.moves.nth(0).click();
  await page.getByRole('button', { name: 'Analyse' }).click();
  await game.click('c7');
  await game.click('c5');
  await expect(page.locator('#position-text')).toContainText('pawn c5');
  await game.click('g1');
  await game.click('f3');
  await expect(page.locator('#think-lines')).toContainText('2…');
  await page.getByRole('button', { name: 'Back to the game' }).click();
  await game.moves.nth(1).click();
  await expect(page.locator('#moves [aria-current]')).toHaveText('e5');
  // There may be a line for this position, too, but White begins it.
  await expect(page.locator('#think-lines')).not.toContainText('2…');
});

test('the current move stays in sight when the list shrinks', async ({ game, page }) => {
  await game.load('1. Nf3 Nf6 2. Ng1 Ng8 3. e3 e6 4. d3 d6 5. c3 c6 6. a3 a6 7. b3 b6 8. g3 g6 9. f3 f6 10. h3 h6');
  await expect(game.moves).toHaveCount(20);
  for (const height of [800, 620, 560]) {
    await page.setViewportSize({ width: 1280, height });
    await expect(page.locator('#moves [aria-current]')).toHaveText('h6');
    await expect(page.locator('#moves [aria-current]')).toBeInViewport({ ratio: 0.9 });
  }
});

test('messages cover neither board nor clocks nor fields, and end with the game', async ({ game, page }) => {
  await game.dialog('human', 'human');
  await game.clock('5', '3');
  await game.start();
  const message = page.locator('#message');
  for (const [width, height] of [[1280, 800], [390, 844], [844, 390], [820, 1180]] as const) {
    await page.setViewportSize({ width, height });
    await page.getByLabel('Type a move').fill('Qxz9');
    await page.getByLabel('Type a move').press('Enter');
    await expect(message).toBeVisible();
    await message.scrollIntoViewIfNeeded();
    const box = (await message.boundingBox())!;
    for (const name of ['#board-box', '#clock-top', '#clock-bottom', '#typed', '#moves', 'nav', '.controls']) {
      const other = (await page.locator(name).first().boundingBox())!;
      const apart =
        box.x + box.width <= other.x || other.x + other.width <= box.x ||
        box.y + box.height <= other.y || other.y + other.height <= box.y;
      expect(apart, `${name} at ${width} × ${height}`).toBe(true);
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await game.newGame('human', 'human');
  await expect(message).toBeHidden();
});

test('the board uses the window', async ({ game, page }) => {
  const board = async () => (await page.locator('cg-board').boundingBox())!;
  await page.setViewportSize({ width: 2560, height: 1440 });
  await game.newGame('human', 'human');
  await expect.poll(async () => (await board()).height).toBeGreaterThan(1200);

  // Nothing has to be scrolled on a desktop.
  await game.load('1. e4 { [%eval 0.3] } e5 { [%eval 0.2] } 2. f4 $6 1-0');
  await page.getByRole('button', { name: 'Analyse', exact: true }).click();
  await expect(page.locator('#think-lines li')).toHaveCount(3);
  const scrolls = () => page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  for (const [width, height] of [[1280, 800], [1366, 768], [1440, 900], [1920, 1080], [2560, 1440]] as const) {
    await page.setViewportSize({ width, height });
    await expect.poll(scrolls, `${width} × ${height}`).toBeLessThanOrEqual(0);
  }
  await game.newGame('human', 'human');

  // A phone on its side: the whole board, and what one plays with beside it.
  await page.setViewportSize({ width: 844, height: 390 });
  await expect.poll(async () => (await board()).y + (await board()).height).toBeLessThanOrEqual(390);
  expect((await board()).height).toBeGreaterThan(290);
  for (const name of ['New game', 'Take back', 'Resign', 'Analyse', 'Next move']) {
    await expect(page.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 });
  }
  await game.play('e2', 'e4', 'e4');

  await page.setViewportSize({ width: 820, height: 1180 });
  await expect.poll(async () => (await board()).width).toBeGreaterThan(700);
  await expect(page.getByRole('button', { name: 'Analyse' })).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole('button', { name: 'Analyse' })).toBeInViewport({ ratio: 1 });
  for (const width of [360, 390, 820, 844]) {
    await page.setViewportSize({ width, height: 1250 - width });
    const sticksOut = () =>
      page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
    await expect.poll(sticksOut, `${width}`).toBe(0);
  }
});

test('clocks show the time of the position on the board', async ({ game, page }) => {
  const [black, white] = [page.locator('#clock-top'), page.locator('#clock-bottom')];
  await game.load('1. e4 { [%clk 0:04:50] } e5 { [%clk 0:04:40] } 2. Nf3 { [%clk 0:04:30] } *');
  await expect(white).toHaveText('04:30');
  await expect(black).toHaveText('04:40');
  await page.locator('#previous').click();
  await expect(white).toHaveText('04:50');
  await page.locator('#previous').click();
  await expect(black).toBeHidden();

  await game.dialog('human', 'human');
  await game.clock('5', '0');
  await game.start();
  await game.play('e2', 'e4', 'e4');
  await game.play('e7', 'e5', 'e5');
  await expect(white).not.toHaveText('05:00');
  await page.locator('#first').click();
  await expect(white).toHaveText('05:00');
  await expect(page.locator('.clock.running')).toHaveCount(0);
  await page.locator('#last').click();
  await expect(page.locator('#clock-bottom.running')).toBeVisible();
});

test('variations, lists and dialogs fit every screen, by day and by night', async ({ game, page }) => {
  test.slow();
  const sticksOut = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await game.load('1. e4 e5 { so it goes } (1... c5 2. Nf3 (2. c3 d5 3. exd5) 2... d6) (1... e6 2. d4 d5) 2. Nf3 *');
  await page.getByRole('button', { name: 'd6', exact: true }).click();
  for (const [width, height, colorScheme] of [
    [1280, 800, 'dark'], [2560, 1440, 'light'], [390, 844, 'light'], [844, 390, 'dark'], [820, 1180, 'light'],
  ] as const) {
    const size = `${width} × ${height}`;
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    await expect.poll(sticksOut, size).toBe(0);
    for (const name of ['brilliant move', 'Promote', 'Main line', 'Delete']) {
      const button = page.getByRole('button', { name, exact: true });
      await button.scrollIntoViewIfNeeded();
      await expect(button, size).toBeInViewport({ ratio: 1 });
    }
    for (const [opener, dialog, last] of [
      ['#open-games', '#games-dialog', '#games-close'],
      ['#open-editor', '#editor-dialog', '#editor-dialog button.primary'],
      ['#open-settings', '#settings-dialog', '#settings-done'],
      ['#open-game', '#load-dialog', '#load-cancel'],
    ] as const) {
      await page.locator(opener).click();
      const box = (await page.locator(dialog).boundingBox())!;
      expect(box.x, `${dialog} at ${size}`).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width, `${dialog} at ${size}`).toBeLessThanOrEqual(width);
      const inner = page.locator(dialog);
      expect(await inner.evaluate((it) => it.scrollWidth - it.clientWidth), `${dialog} at ${size}`).toBe(0);
      await page.locator(last).scrollIntoViewIfNeeded();
      await expect(page.locator(last), `${dialog} at ${size}`).toBeInViewport({ ratio: 1 });
      await page.keyboard.press('Escape');
      await expect(inner).toBeHidden();
    }
  }
});

test('analysis leaves room for its lines and for the moves on a laptop', async ({ game, page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await game.load('1. e4 { [%eval 0.3] } e5 { [%eval 0.2] } 2. Nf3 { [%eval 0.3] } d6 { solid } (2... Nc6 3. Bb5) 3. d4 $1 Bg4 $6 4. dxe5 *');
  await expect(game.moves).toHaveCount(7);
  await page.getByRole('button', { name: 'Analyse', exact: true }).click();
  await expect(page.locator('#think-lines li')).toHaveCount(3);
  await expect(page.locator('#graph')).toBeVisible();
  const thinking = page.locator('#thinking');
  expect(await thinking.evaluate((panel) => panel.scrollHeight - panel.clientHeight)).toBe(0);
  expect(await page.locator('#moves').evaluate((list) => list.clientHeight)).toBeGreaterThan(110);
  await expect(page.locator('#typed')).toBeInViewport({ ratio: 1 });
});

test('nothing jumps while one goes through a game that is analysed', async ({ game, page }) => {
  await game.load('1. e4 { [%eval 0.3] } d6 { [%eval 0.3] } 2. d4 Nf6 3. Nc3 g6 4. Be3 Bg7 5. Qd2 c6 6. f3 b5 1-0');
  await page.getByRole('button', { name: 'Analyse', exact: true }).click();
  await expect(page.locator('#think-lines li')).toHaveCount(3);
  await page.evaluate(() => {
    const heights = new Set<number>();
    const panel = document.querySelector<HTMLElement>('#thinking')!;
    new ResizeObserver(() => heights.add(panel.offsetHeight)).observe(panel);
    Object.assign(window, { heights });
  });
  await page.locator('#moves').focus();
  for (const _ of Array(8)) {
    await page.keyboard.press('ArrowLeft');
    await page.waitForTimeout(120);
  }
  await expect(page.locator('#moves [aria-current]')).toHaveText(/^Nf6/);
  await expect(page.locator('#think-lines li')).toHaveCount(3);
  const heights = () => page.evaluate(() => [...(window as unknown as { heights: Set<number> }).heights]);
  await expect.poll(heights).toHaveLength(1);
});

test('on a phone the steps through the moves are at hand', async ({ game, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await game.load('1. e4 e5 2. Nf3 *');
  await page.getByRole('button', { name: 'Analyse', exact: true }).click();
  await expect(page.locator('#think-lines li')).toHaveCount(3);
  for (const name of ['First position', 'Previous move', 'Flip the board', 'Back to the game', 'Play from here']) {
    await expect(page.getByRole('button', { name })).toBeInViewport({ ratio: 1 });
  }
  await expect(page.locator('#think-lines li').first()).toBeInViewport({ ratio: 1 });
  const board = (await page.locator('#board cg-board').boundingBox())!;
  expect(board.width).toBeGreaterThan(360);
  // The bar lies across, and White's share of it is on the left.
  const [bar, white] = [(await page.locator('#bar').boundingBox())!, (await page.locator('#bar-white').boundingBox())!];
  expect(bar.width).toBeGreaterThan(20 * bar.height);
  expect(white.x).toBeLessThan(bar.x + 5);
});

test('help begins at its beginning', async ({ game, page }) => {
  await game.newGame('human', 'human');
  await page.setViewportSize({ width: 844, height: 390 });
  await page.keyboard.press('?');
  await expect(page.getByRole('heading', { name: 'Keys and mouse' })).toBeInViewport({ ratio: 1 });
});
