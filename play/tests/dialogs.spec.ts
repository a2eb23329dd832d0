// What the dialogs take, refuse and ask.

import { expect, test } from './server';

test('a field that is hidden does not stop a new game', async ({ game, page }) => {
  await game.dialog('human', 'engine');
  await game.side('black').getByLabel('limit strength').check();
  await game.side('black').getByLabel('Elo').fill('700');
  await game.side('black').getByLabel('limit strength').uncheck();
  await game.side('white').getByLabel('with a clock').check();
  await game.side('white').getByLabel('Minutes').fill('');
  await game.side('white').getByLabel('with a clock').uncheck();
  await page.locator('#start-kind').selectOption('chess960');
  await page.locator('#start-number').fill('1000');
  await page.locator('#start-kind').selectOption('standard');
  await game.start();
  await expect(page.locator('#name-top')).toHaveText('Gambeson (depth 3)');
});

test('a field that is shown must be right, for a new game and for other players', async ({ game, page }) => {
  await game.dialog('human', 'engine');
  await game.side('black').getByLabel('limit strength').check();
  const elo = game.side('black').getByLabel('Elo');
  for (const wrong of ['', '700']) {
    await elo.fill(wrong);
    for (const button of ['#new-players', '#new-start']) {
      await page.locator(button).click();
      await expect(page.locator('#new-dialog')).toBeVisible();
      await expect(elo).toBeFocused();
      await expect(page.locator('#new-problem')).toBeHidden();
    }
  }
  await elo.fill('1200');
  // The position does not matter to those who only change places.
  await page.locator('#start-kind').selectOption('fen');
  await page.locator('#new-players').click();
  await expect(page.locator('#new-dialog')).toBeHidden();
  await expect(page.locator('#name-top')).toHaveText('Gambeson (depth 3, 1200 Elo)');
});

test('resigning asks first', async ({ game, page }) => {
  await game.newGame('human', 'human');
  await game.play('e2', 'e4', 'e4');
  const question = page.getByRole('dialog', { name: 'Resign the game for Black?' });
  await page.getByRole('button', { name: 'Resign' }).click();
  await expect(question).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await game.play('e7', 'e5', 'e5');
  await game.resign();
  await expect(game.status).toContainText('Black wins: resignation.');
});

test('between two people the other one answers the offer of a draw', async ({ game, page }) => {
  await game.newGame('human', 'human');
  await game.play('e2', 'e4', 'e4');
  const question = page.getByRole('dialog', { name: 'Black offers a draw. Does White accept?' });
  await page.getByRole('button', { name: 'Offer draw' }).click();
  await question.getByRole('button', { name: 'Decline' }).click();
  await expect(game.status).toContainText('Black to move');
  await page.getByRole('button', { name: 'Offer draw' }).click();
  await question.getByRole('button', { name: 'Accept' }).click();
  await expect(game.status).toContainText('Draw');
});
