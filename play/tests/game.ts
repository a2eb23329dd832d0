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
    const box = (await this.page.locator('cg-board').boundingBox())!;
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

  side(color: 'white' | 'black'): Locator {
    return this.page.locator(`[data-side=${color}]`);
  }

  async dialog(white: Opponent, black: Opponent): Promise<void> {
    await this.page.getByRole('button', { name: 'New game' }).click();
    await this.side('white').getByLabel('Played by').selectOption(white);
    await this.side('black').getByLabel('Played by').selectOption(black);
    for (const [color, who] of [['white', white], ['black', black]] as const) {
      if (who === 'engine') await this.depth(color, 3);
    }
  }

  async depth(color: 'white' | 'black', depth: number): Promise<void> {
    await this.side(color).getByLabel('limit strength').uncheck();
    await this.side(color).getByLabel('Level').selectOption('depth');
    await this.side(color).getByRole('spinbutton', { name: 'Depth' }).fill(String(depth));
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
  async load(text: string): Promise<void> {
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
