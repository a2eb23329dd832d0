// Positions and games go in and out by the clipboard.

import type { Page } from '@playwright/test';
import { expect, test } from './server';

const FEN = '8/8/8/4k3/8/8/8/R3K3 w - - 0 1';

async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  }, text);
}

test('a FEN in the dialog for loading is a position', async ({ game, page }) => {
  await game.load(`  ${FEN}\n`);
  await expect(page.locator('#load-dialog')).toBeHidden();
  await game.stands('rook a1', 'White');
  await game.tryToLoad('8/8/8/4k3/8/8/8/R3K3 x - - 0 1');
  await expect(page.locator('#load-problem')).toContainText('this position cannot be played');
});

test('a FEN or a PGN pasted onto the page is shown, and loaded by Enter', async ({ game, page }) => {
  await paste(page, 'some words');
  await expect(page.locator('#load-dialog')).toBeHidden();
  for (const [text, piece] of [[FEN, 'rook a1'], ['1. e4 e5 2. Nf3', 'knight f3']] as const) {
    await paste(page, text);
    await expect(page.locator('#load-text')).toHaveValue(text);
    await page.keyboard.press('Enter');
    await expect(page.locator('#load-dialog')).toBeHidden();
    await game.stands(piece, 'White');
  }
});

test('FEN and PGN are copied', async ({ game, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await game.newGame('human', 'human');
  await game.play('d2', 'd4', 'd4');
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('button', { name: 'Copy FEN' }).click();
  await expect(page.locator('#message')).toHaveText('Position copied.');
  expect(await copied()).toMatch(/^rnbqkbnr\/pppppppp\/8\/8\/3P4\/8\/PPP1PPPP\/RNBQKBNR b KQkq \S+ 0 1$/);
  await page.getByRole('button', { name: 'Copy PGN' }).click();
  await expect(page.locator('#message')).toHaveText('Game copied.');
  expect(await copied()).toMatch(/^\[Event "Casual game"\][^]*1\. d4 \*\s*$/);
});

test('where a file can be dropped is shown', async ({ game, page }) => {
  await game.newGame('human', 'human');
  const drag = (kind: string) =>
    page.evaluate((type) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['1. e4 *'], 'some.pgn'));
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    }, kind);
  const told = () => page.evaluate(() => getComputedStyle(document.body, '::after').content);
  await drag('dragover');
  expect(await told()).toContain('Drop a PGN file');
  await drag('dragleave');
  expect(await told()).toBe('none');
});

test('a file dropped anywhere is shown, and loaded by Enter', async ({ game, page }) => {
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    const bytes = new Uint8Array([...'[White "M'].map((letter) => letter.charCodeAt(0)).concat(0xfc));
    dataTransfer.items.add(new File([bytes, 'ller"]\n\n1. c4 c5 2. g3 *'], 'old.pgn'));
    document.querySelector('.side')!.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  });
  await expect(page.locator('#load-text')).toHaveValue(/Müller/);
  await page.locator('#load-dialog button.primary').press('Enter');
  await expect(game.moves).toHaveCount(3);
  await expect(page.locator('#name-bottom')).toHaveText('Müller');
});
