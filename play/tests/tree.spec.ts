// Variations, comments and glyphs.

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, test } from './server';

const PGN = '1. e4 e5 { open } (1... c5 2. Nf3 (2. c3 $5 d5) 2... d6) (1... e6) 2. Nf3 Nc6 *';

/** The saved moves, without the evaluations of the analysis: how far it got is chance. */
async function saved(page: Page): Promise<string> {
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save PGN' }).click();
  const text = await readFile(await (await saving).path(), 'utf8');
  return text.split('\n\n')[1]!.replace(/\s+/g, ' ').replace(/\[%eval [^\]]*\] /g, '').replaceAll(' { }', '').trim();
}

test('lines in lines are shown, walked through and saved again', async ({ game, page }) => {
  await game.load(PGN);
  const lines = page.locator('.variation');
  await expect(lines).toHaveCount(2);
  await expect(lines.first()).toHaveText(/^1…c52\.Nf3\(2\.c3!\?d5\)2…d6$/);
  await expect(page.locator('#moves p.comment')).toHaveText('open');
  // No analysis is needed to look at them.
  await page.getByRole('button', { name: 'd6', exact: true }).click();
  await game.stands('pawn d6', 'Black');
  await game.stands('knight f3', 'White');
  await page.locator('#moves').focus();
  for (const [key, san] of [
    ['ArrowLeft', 'Nf3'], ['ArrowLeft', 'c5'], ['Shift+ArrowRight', 'c3!?'], ['ArrowRight', 'd5'],
    ['Shift+ArrowLeft', 'c5'], ['Shift+ArrowLeft', 'e4'], ['ArrowRight', 'e5'],
  ] as const) {
    await page.keyboard.press(key);
    await expect(page.locator('#moves [aria-current]')).toHaveText(san);
  }
  expect(await saved(page)).toBe(PGN);
});

test('a line is made on the board, commented, promoted, deleted, and all is undone', async ({ game, page }) => {
  await game.load('1. e4 e5 2. Nf3 Nc6 *');
  await game.moves.nth(0).click();
  await page.keyboard.press('a');
  await game.click('c7');
  await game.click('c5');
  await expect(page.locator('.variation')).toHaveText(/^1…c5/);
  await page.getByRole('button', { name: 'brilliant move' }).click();
  await expect(page.locator('.variation .glyphs')).toHaveText('!!');
  await page.keyboard.press('c');
  await page.keyboard.type('Sicilian');
  await page.keyboard.press('Enter');
  await expect(page.locator('.variation .comment')).toHaveText('Sicilian');
  await game.click('g1');
  await game.click('f3');
  await expect(page.locator('.variation [aria-current]')).toHaveText(/^Nf3/);
  await page.getByRole('button', { name: 'Promote' }).click();
  await expect(game.moves).toHaveText([/e4/, /c5/, /Nf3/]);
  await expect(page.locator('.variation')).toHaveText(/1…e5.*2\.Nf3.*Nc6/);
  await page.keyboard.press('Delete');
  await expect(game.moves).toHaveCount(2);
  await page.keyboard.press('u');
  await expect(game.moves).toHaveCount(3);
  await page.keyboard.press('u');
  await expect(game.moves).toHaveCount(4);
  await page.keyboard.press('a');
  expect(await saved(page)).toContain('(1... c5 $3 { Sicilian }');
  await page.reload();
  await game.isReady();
  await expect(page.locator('.variation .comment')).toHaveText('Sicilian');
});

test('glyphs and a comment before the server has answered are all kept', async ({ game, page }) => {
  await game.load('1. e4 e5 *');
  await expect(game.moves).toHaveCount(2);
  await page.keyboard.press('a');
  await expect(page.locator('#annotate')).toBeVisible();
  await page.evaluate(() => {
    const button = (name: string) => document.querySelector<HTMLElement>(`#glyphs [aria-label="${name}"]`)!;
    button('good move').click();
    const comment = document.querySelector<HTMLInputElement>('#comment')!;
    comment.value = 'at once';
    comment.dispatchEvent(new Event('change'));
    button('equal').click();
  });
  await expect(page.locator('#moves p.comment')).toHaveText('at once');
  await expect(game.moves.nth(1).locator('.glyphs')).toHaveText('! =');
  await expect(page.getByRole('button', { name: 'good move' })).toHaveAttribute('aria-pressed', 'true');
});

test('play from here keeps what was played, and is undone', async ({ game, page }) => {
  await game.load('1. e4 e5 2. Nf3 Nc6 1/2-1/2');
  await game.moves.nth(1).click();
  await page.getByRole('button', { name: 'Analyse' }).click();
  await page.getByRole('button', { name: 'Play from here' }).click();
  await expect(game.moves).toHaveCount(2);
  await expect(page.locator('.variation.ahead')).toHaveText(/2\.Nf3.*Nc6/);
  await game.play('f2', 'f4', 'f4');
  await expect(page.locator('.variation')).toHaveText(/2\.Nf3.*Nc6/);
  await page.getByRole('button', { name: 'Undo: play from here' }).click();
  await expect(game.moves).toHaveCount(4);
  await expect(game.status).toContainText('Draw');
});

test('variations on a phone, by touch', async ({ browser, server }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await page.goto(server.address);
  await page.getByRole('button', { name: 'Load', exact: true }).tap();
  await page.locator('#load-text').fill(PGN);
  await page.locator('#load-dialog button.primary').tap();
  await page.getByRole('button', { name: 'e6', exact: true }).tap();
  await expect(page.locator('#moves [aria-current]')).toHaveText('e6');
  await page.getByRole('button', { name: 'Promote' }).tap();
  await expect(page.locator('.variation').first()).toHaveText('1…e6');
  await page.getByRole('button', { name: 'Delete', exact: true }).tap();
  await expect(page.locator('.variation')).toHaveCount(1);
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect.poll(overflow).toBe(0);
  await context.close();
});

test('the focus stays on a move while its evaluation changes', async ({ game, page }) => {
  await game.load('1. e4 e5 (1... c5 2. Nf3 d6) 2. Nf3 1-0');
  const move = page.getByRole('button', { name: /^c5/ });
  await move.click();
  await page.getByRole('button', { name: 'Analyse', exact: true }).click();
  await move.focus();
  await expect(move.locator('.eval')).not.toBeEmpty();
  await expect(page.locator('#think-depth')).toHaveText(/depth (1[2-9]|[2-9]\d)/, { timeout: 30_000 });
  await expect(move).toBeFocused();
});

test('the menu of a move promotes, comments and deletes', async ({ game, page }) => {
  await game.load('1. e4 e5 (1... c5 2. Nf3 d6) (1... e6) 2. Nf3 1-0');
  const menu = page.getByRole('menu');
  await page.getByRole('button', { name: 'e6', exact: true }).click({ button: 'right' });
  await menu.getByRole('menuitem', { name: 'Promote variation' }).click();
  await expect(page.locator('.variation').first()).toHaveText('1…e6');
  await page.getByRole('button', { name: 'd6', exact: true }).click({ button: 'right' });
  await menu.getByRole('menuitem', { name: 'Comment' }).click();
  await expect(page.locator('#comment')).toBeFocused();
  await page.keyboard.type('open');
  await page.keyboard.press('Enter');
  await expect(page.locator('.variation .comment')).toHaveText('open');
  // By keyboard, and closed without doing anything.
  const move = page.getByRole('button', { name: /^c5/ });
  await move.focus();
  await move.dispatchEvent('contextmenu');
  await expect(menu.getByRole('menuitem', { name: 'Promote variation' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(move).toBeFocused();
  await move.dispatchEvent('contextmenu');
  await page.keyboard.press('ArrowUp');
  await expect(menu.getByRole('menuitem', { name: 'Delete from here' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('.variation')).toHaveText(['1…e6']);
  // A move of the game has no line to promote.
  await game.moves.nth(0).click({ button: 'right' });
  await expect(menu.getByRole('menuitem')).toHaveText(['Comment', 'Delete from here']);
  await page.mouse.click(5, 5);
  await expect(menu).toBeHidden();
});
