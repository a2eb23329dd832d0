// My games: nothing is overwritten, everything is found again.

import type { Page } from '@playwright/test';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './server';

const row = (page: Page, text: string) => page.locator('#games-list .game').filter({ hasText: text });
const list = (page: Page) => page.getByRole('button', { name: 'My games' }).click();

test('every game stays, is found, opened, renamed, deleted and brought back', async ({ game, page }) => {
  await game.load('[White "Anna"]\n[Black "Bert"]\n\n1. e4 e5 2. Nf3 1-0');
  await expect(game.moves).toHaveCount(3);
  await game.newGame('human', 'human');
  await game.play('d2', 'd4', 'd4');
  await list(page);
  await expect(page.locator('#games-count')).toHaveText('2 games');
  await expect(row(page, 'Anna – Bert')).toContainText('1-0');
  await expect(row(page, 'Anna – Bert')).toContainText('2 moves');
  await row(page, 'Anna').getByRole('button', { name: 'Rename' }).click();
  await page.getByLabel('New name').fill('A friendly game');
  await page.getByLabel('New name').press('Enter');
  await expect(row(page, 'Anna')).toContainText('A friendly game');
  await page.getByRole('searchbox', { name: 'Search' }).fill('friendly');
  await expect(page.locator('#games-count')).toHaveText('1 of 2 games');
  await row(page, 'Anna').getByRole('button', { name: 'Delete' }).click();
  await expect(page.locator('#games-count')).toHaveText('0 of 1 game');
  await page.getByRole('dialog', { name: 'Games' }).getByRole('button', { name: 'Undo' }).click();
  await row(page, 'Anna').locator('.who').click();
  await expect(page.locator('#games-dialog')).toBeHidden();
  await expect(page.locator('#name-bottom')).toHaveText('Anna');
  await expect(game.moves).toHaveCount(3);
  // The other one goes on where it was.
  await list(page);
  await row(page, 'Player').locator('.who').click();
  await expect(game.moves).toHaveCount(1);
  await game.play('d7', 'd5', 'd5');
  // Deleted on the board: another game begins, and the deleted one can be had again.
  await list(page);
  await row(page, 'Player').getByRole('button', { name: 'Delete' }).click();
  await expect(page.locator('#games-count')).toHaveText('1 game');
  await expect(game.moves).toHaveCount(0);
  await page.getByRole('dialog', { name: 'Games' }).getByRole('button', { name: 'Undo' }).click();
  await expect(page.locator('#games-count')).toHaveText('2 games');
  const exporting = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export all' }).click();
  const text = await readFile(await (await exporting).path(), 'utf8');
  expect(text).toContain('[Event "A friendly game"]');
  expect(text).toContain('1. d4 d5 *');
});

test('on a phone both names and the date of a game are seen', async ({ game, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await game.load('[White "Nepomniachtchi, Ian Alexandrovich"]\n[Black "Vachier-Lagrave, Maxime"]\n[Event "A tournament with a very long name indeed"]\n[Date "2024.03.??"]\n\n1. e4 e5 2. Nf3 1/2-1/2');
  await expect(page).toHaveTitle(/^Nepomniachtchi, Ian Alexandrovich – Vachier-Lagrave/);
  await list(page);
  const listed = row(page, 'Nepomniachtchi');
  await expect(listed.locator('.who')).toHaveText('Nepomniachtchi – Vachier-Lagrave', { useInnerText: true });
  await expect(listed.locator('.what')).toHaveText(/^2024-03 · 2 moves · A tournament/);
  expect(await listed.locator('.who').evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0);
});

test('new game and load can be undone', async ({ game, page }) => {
  await game.newGame('human', 'human');
  await game.play('e2', 'e4', 'e4');
  await game.load('1. d4 d5 2. c4');
  await expect(game.moves).toHaveCount(3);
  await page.getByRole('button', { name: 'Undo: load' }).click();
  await expect(game.moves).toHaveCount(1);
  await game.played(1, 'e4');
  await game.play('e7', 'e5', 'e5');
  await game.newGame('human', 'human');
  await expect(game.moves).toHaveCount(0);
  await page.keyboard.press('u');
  await expect(game.moves).toHaveCount(2);
  await page.getByRole('button', { name: 'Take back' }).click();
  await expect(game.moves).toHaveCount(1);
  await page.getByRole('button', { name: 'Undo: take back' }).click();
  await expect(game.moves).toHaveCount(2);
});

const MANY = 100_000;

test('a file of very many games is a list that scrolls and is searched', async ({ game, page, server }) => {
  const path = join(server.games, 'many.txt');
  const games = Array.from({ length: MANY }, (_, index) =>
    `[Event "Round ${index % 97}"]\n[White "W${index}"]\n[Black "Black"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 1-0\n\n`);
  await writeFile(path, games.join(''));
  await page.getByRole('button', { name: 'Load', exact: true }).click();
  await page.locator('#load-file').setInputFiles(path);
  await page.locator('#load-dialog button.primary').click();
  await expect(page.locator('#games-count')).toHaveText(`${MANY} games`, { timeout: 30_000 });
  await expect(row(page, 'W3 – ')).toBeVisible();
  expect(await page.locator('#games-list .game').count()).toBeLessThan(60);
  await page.locator('#games-list').focus();
  await page.keyboard.press('End');
  await expect(row(page, `W${MANY - 1} – `)).toBeVisible();
  await page.keyboard.press('ArrowUp');
  await expect(page.locator('#games-list [aria-selected="true"]')).toContainText(`W${MANY - 2} – `);
  await page.getByRole('searchbox', { name: 'Search' }).fill('w77777');
  await expect(page.locator('#games-count')).toHaveText(`1 of ${MANY} games`);
  await page.locator('#games-list').focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('#name-bottom')).toHaveText('W77777');
  await expect(game.moves).toHaveCount(8);
  // It is one of my games only once it is changed.
  await list(page);
  await expect(page.locator('#games-empty')).toBeVisible();
  await page.locator('#games-source').selectOption('many.txt');
  await expect(page.locator('#games-count')).toHaveText(`${MANY} games`);
  await page.getByRole('button', { name: 'Delete this file' }).click();
  await expect(page.locator('#games-source option')).toHaveCount(1);
  await page.getByRole('dialog', { name: 'Games' }).getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Close' }).click();
});

test('several games that are pasted are a list, too', async ({ game, page }) => {
  await game.load('[White "A"]\n\n1. e4 *\n\n[White "B"]\n\n1. d4 d5 *');
  await expect(page.locator('#games-count')).toHaveText('2 games');
  await expect(page.locator('#load-dialog')).toBeHidden();
  await row(page, 'B – ').locator('.who').click();
  await expect(game.moves).toHaveCount(2);
});
