// What the dialogs take, refuse and ask.

import { expect, test } from './server';

test('a field that is hidden does not stop a new game', async ({ game, page }) => {
  await game.dialog('human', 'engine');
  await game.depth(0);
  await game.engine().getByLabel('Thinking time').selectOption('seconds');
  await game.engine().getByRole('spinbutton', { name: 'Seconds' }).fill('');
  await game.depth(3);
  await game.clock('', '');
  await page.getByLabel('with a clock').uncheck();
  await page.locator('#start-kind').selectOption('chess960');
  await page.locator('#start-number').fill('1000');
  await page.locator('#start-kind').selectOption('standard');
  await game.start();
  await expect(page.locator('#name-top')).toHaveText('Gambeson (depth 3)');
});

test('a field that is shown must be right, for a new game and for other players', async ({ game, page }) => {
  await game.dialog('human', 'engine');
  const depth = game.engine().getByRole('spinbutton', { name: 'Depth' });
  for (const wrong of ['', '0', '1000']) {
    await depth.fill(wrong);
    for (const button of ['#new-players', '#new-start']) {
      await page.locator(button).click();
      await expect(page.locator('#new-dialog')).toBeVisible();
      await expect(depth).toBeFocused();
      await expect(page.locator('#new-problem')).toBeHidden();
    }
  }
  await depth.fill('2');
  // The position does not matter to those who only change places.
  await page.locator('#start-kind').selectOption('fen');
  await page.locator('#new-players').click();
  await expect(page.locator('#new-dialog')).toBeHidden();
  await expect(page.locator('#name-top')).toHaveText('Gambeson (depth 2)');
});

test('the first game is against a club player, and the strength has a name', async ({ game, page }) => {
  await expect(page.locator('#name-top')).toContainText('1500 Elo');
  await page.getByRole('button', { name: 'New game', exact: true }).click();
  const strength = game.engine().getByLabel('Strength');
  await expect(strength).toHaveAttribute('aria-valuetext', /^1500 Elo, club player/);
  await strength.press('Home');
  await expect(game.engine().locator('output')).toContainText('800 Elo, beginner');
  await strength.press('End');
  await expect(game.engine().locator('output')).toContainText('full strength');
  await strength.press('ArrowLeft');
  await expect(game.engine().locator('output')).toContainText('2800 Elo, grandmaster');
  await game.start();
  await expect(page.locator('#name-top')).toHaveText('Gambeson (1 s a move, 2800 Elo)');
});

test('a second engine has the strength of the first', async ({ game, page }) => {
  await page.getByRole('button', { name: 'New game', exact: true }).click();
  await game.engine().getByLabel('Strength').press('ArrowLeft');
  await page.getByRole('radio', { name: 'Gambeson against itself' }).check();
  await expect(game.engine('White').locator('output')).toContainText('1450 Elo');
  await page.locator('#new-cancel').click();
  await page.getByRole('button', { name: 'New game', exact: true }).click();
  await page.getByRole('radio', { name: 'Gambeson against itself' }).check();
  await expect(game.engine('Black').locator('output')).toContainText('1500 Elo');
  await page.getByRole('radio', { name: 'Another person here' }).check();
  await game.start();
  await page.getByRole('button', { name: 'New game', exact: true }).click();
  await page.getByRole('radio', { name: 'Gambeson', exact: true }).check();
  await expect(game.engine().locator('output')).toContainText('1500 Elo, club player');
});

test('after a game from elsewhere one plays as before', async ({ game, page }) => {
  await game.dialog('engine', 'human');
  await game.start();
  await expect(page.locator('#name-bottom')).toHaveText('Player');
  await game.load('[White "A"]\n[Black "B"]\n\n1. e4 e5 1-0');
  await expect(page.locator('#name-top')).toHaveText(/^[AB]$/);
  await page.reload();
  await game.isReady();
  await page.getByRole('button', { name: 'New game', exact: true }).click();
  await expect(page.getByRole('radio', { name: 'Gambeson', exact: true })).toBeChecked();
  await expect(page.getByRole('radio', { name: 'Black' })).toBeChecked();
  await game.start();
  await expect(page.locator('#name-top')).toHaveText('Gambeson (depth 3)');
});

test('one clock for both, or another for Black', async ({ game, page }) => {
  await game.dialog('human', 'human');
  await game.clock('3', '2');
  await game.start();
  await expect(page.locator('#clock-top')).toHaveText('03:00');
  await expect(page.locator('#clock-bottom')).toHaveText('03:00');
  await page.getByRole('button', { name: 'New game', exact: true }).click();
  await page.getByLabel('another for Black').check();
  await page.getByRole('group', { name: 'Time for Black' }).getByLabel('Minutes').fill('1');
  await game.start();
  await expect(page.locator('#clock-top')).toHaveText('01:00');
  await expect(page.locator('#clock-bottom')).toHaveText('03:00');
});

test('either colour is either colour', async ({ game, page }) => {
  await game.dialog('human', 'engine');
  await page.getByRole('radio', { name: 'random' }).check();
  for (const [chance, side] of [[0.7, 'black'], [0.2, 'white']] as const) {
    await page.evaluate((value) => (Math.random = () => value), chance);
    if (side === 'white') await page.getByRole('button', { name: 'New game', exact: true }).click();
    await game.start();
    await expect(page.locator(`.cg-wrap.orientation-${side}`)).toBeVisible();
  }
});

test('a rematch, and one with the sides swapped', async ({ game, page }) => {
  await game.dialog('human', 'engine');
  await page.locator('#start-kind').selectOption('named');
  await page.locator('#start-name').selectOption('Italian Game');
  await game.start();
  const opening = ['e4', 'e5', 'Nf3', 'Nc6', 'Bc4'];
  await expect(game.moves).toHaveCount(6);
  await game.resign();
  await page.getByRole('button', { name: 'Rematch' }).click();
  await expect(game.status).not.toContainText('resignation');
  await expect(game.moves).toHaveCount(6);
  for (const [index, san] of opening.entries()) await expect(game.moves.nth(index)).toHaveText(san);
  await expect(page.locator('.cg-wrap.orientation-white')).toBeVisible();
  await game.resign();
  await page.getByRole('button', { name: 'Swap sides' }).click();
  await expect(page.locator('.cg-wrap.orientation-black')).toBeVisible();
  await expect(game.moves).toHaveCount(5);
  await expect(game.status).toContainText('Black to move');
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
  await expect(game.status).toContainText('Black wins by resignation.');
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
