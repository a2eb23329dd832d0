// What a person does at the board, for the tests.

import { expect, type Locator, type Page } from '@playwright/test';

export type Opponent = 'human' | 'engine';

export class Game {
  readonly status: Locator;
  readonly moves: Locator;

  constructor(readonly page: Page) {
    this.status = page.locator('#status');
    this.moves = page.locator('#moves .row button.move');
  }

  async isReady(): Promise<void> {
    await expect(this.status).not.toBeEmpty();
    await expect(this.page.locator('cg-board piece').first()).toBeVisible();
  }

  private async orientation(): Promise<'white' | 'black'> {
    const black = await this.page.locator('.cg-wrap.orientation-black').count();
    return black > 0 ? 'black' : 'white';
  }

  /** The middle of a square, in pixels of the page. */
  async at(square: string): Promise<{ x: number; y: number }> {
    const board = this.page.locator('#board cg-board');
    // On a phone the moves stand below it.
    await board.scrollIntoViewIfNeeded();
    const box = (await board.boundingBox())!;
    let file = square.charCodeAt(0) - 97;
    let rank = Number(square[1]) - 1;
    if ((await this.orientation()) === 'black') [file, rank] = [7 - file, 7 - rank];
    return { x: box.x + ((file + 0.5) * box.width) / 8, y: box.y + ((7.5 - rank) * box.height) / 8 };
  }

  async click(square: string): Promise<void> {
    const { x, y } = await this.at(square);
    await this.page.mouse.click(x, y);
  }

  /** Moves by two clicks and waits until the move is in the list. */
  async play(from: string, to: string, san: string): Promise<void> {
    const before = await this.moves.count();
    await this.click(from);
    await this.click(to);
    await this.played(before + 1, san);
  }

  async drag(from: string, to: string): Promise<void> {
    const [start, end] = [await this.at(from), await this.at(to)];
    await this.page.mouse.move(start.x, start.y);
    await this.page.mouse.down();
    await this.page.mouse.move(end.x, end.y, { steps: 5 });
    await this.page.mouse.up();
  }

  /** The move of this number, counted in half-moves from 1, is this one. */
  async played(ply: number, san: string): Promise<void> {
    await expect(this.moves.nth(ply - 1)).toHaveText(new RegExp(`^${escape(san)}([+−#0-9.]*)$`));
  }

  /** The fields for Gambeson, or for one of the two if it plays itself. */
  engine(color?: 'White' | 'Black'): Locator {
    return this.page.getByRole('group', { name: color ? `Gambeson as ${color}` : 'Gambeson', exact: true });
  }

  async dialog(white: Opponent, black: Opponent): Promise<void> {
    await this.page.getByRole('button', { name: 'New game', exact: true }).click();
    const opponents = { humanhuman: 'Another person here', engineengine: 'Gambeson against itself' };
    const pair = `${white}${black}` as keyof typeof opponents;
    await this.page.getByRole('radio', { name: opponents[pair] ?? 'Gambeson', exact: true }).check();
    if (white === 'engine' && black === 'engine') {
      await this.depth(3, 'White');
      await this.depth(3, 'Black');
    } else if (white !== black) {
      await this.page.getByRole('radio', { name: white === 'human' ? 'White' : 'Black' }).check();
      await this.depth(3);
    }
  }

  /** Full strength, at this depth. */
  async depth(depth: number, color?: 'White' | 'Black'): Promise<void> {
    const engine = this.engine(color);
    await engine.getByLabel('Strength').press('End');
    await engine.getByLabel('Thinking time').selectOption('depth');
    await engine.getByRole('spinbutton', { name: 'Depth' }).fill(String(depth));
  }

  /** A clock for both. */
  async clock(minutes: string, increment: string): Promise<void> {
    await this.page.getByLabel('with a clock').check();
    const clock = this.page.getByRole('group', { name: 'Time for the game' });
    await clock.getByLabel('Minutes').fill(minutes);
    await clock.getByLabel('plus seconds').fill(increment);
  }

  async start(): Promise<void> {
    await this.page.locator('#new-start').click();
    await expect(this.page.locator('#new-dialog')).toBeHidden();
  }

  async newGame(white: Opponent, black: Opponent, fen?: string): Promise<void> {
    await this.dialog(white, black);
    if (fen) {
      await this.page.locator('#start-kind').selectOption('fen');
      await this.page.locator('#start-fen').fill(fen);
    } else {
      await this.page.locator('#start-kind').selectOption('standard');
    }
    await this.start();
  }

  /** A PGN or a FEN. */
  /** Loads a game or position, and is done when keys work again. */
  async load(text: string): Promise<void> {
    await this.tryToLoad(text);
    await expect(this.page.locator('#load-dialog')).toBeHidden();
  }

  async tryToLoad(text: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Load', exact: true }).click();
    await this.page.locator('#load-text').fill(text);
    await this.page.locator('#load-dialog button.primary').click();
  }

  async resign(): Promise<void> {
    await this.page.getByRole('button', { name: 'Resign' }).click();
    await this.page.locator('#confirm-yes').click();
  }

  /** The position on the board as the page tells screen readers. */
  async stands(piece: string, side: 'White' | 'Black'): Promise<void> {
    const [white, black] = ((await this.page.locator('#position-text').textContent()) ?? '').split('. ');
    expect(side === 'White' ? white : black).toContain(piece);
  }
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
