// Setting up any position. Whether it can be played is the server's business.

import { Chessground } from 'chessground';
import type { Api } from 'chessground/api';
import type { Key, Piece } from 'chessground/types';
import { create, element } from './dom';
import { isFen } from './load';
import type { Color, Request } from './messages';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const ROLES = ['king', 'queen', 'rook', 'bishop', 'knight', 'pawn'] as const;
const RIGHTS = ['K', 'Q', 'k', 'q'] as const;

export class EditorDialog {
  private readonly dialog = element<HTMLDialogElement>('editor-dialog');
  private readonly fen = element<HTMLInputElement>('editor-fen');
  private readonly turn = element<HTMLSelectElement>('editor-turn');
  private ground: Api | null = null;
  /** What a click on a square puts there; null moves pieces. */
  private tool: Piece | 'empty' | null = null;
  /** En passant and the counters, which only the FEN shows. */
  private rest = '- 0 1';

  constructor(
    private readonly send: (request: Request) => void,
    private readonly play: (fen: string) => void,
  ) {
    for (const color of ['white', 'black'] as const) this.offer(color);
    element('editor-bin').addEventListener('click', () => this.choose('empty', 'editor-bin'));
    element('editor-hand').addEventListener('click', () => this.choose(null, 'editor-hand'));
    element('editor-start').addEventListener('click', () => this.read(START));
    element('editor-clear').addEventListener('click', () => this.read('8/8/8/8/8/8/8/8 w - - 0 1'));
    element('editor-flip').addEventListener('click', () => this.ground?.toggleOrientation());
    element('editor-cancel').addEventListener('click', () => this.dialog.close());
    this.turn.addEventListener('change', () => this.changed());
    for (const right of RIGHTS) element(`right-${right}`).addEventListener('change', () => this.changed());
    this.fen.addEventListener('change', () => {
      if (isFen(this.fen.value)) this.read(this.fen.value.trim());
    });
    element('editor-play').addEventListener('click', () => {
      this.dialog.close();
      this.play(this.fen.value);
    });
    this.dialog.querySelector('form')!.addEventListener('submit', (event) => {
      event.preventDefault();
      this.problem(null);
      const person = { kind: 'human', clock: null } as const;
      const start = { kind: 'fen', fen: this.fen.value } as const;
      this.send({ type: 'newGame', white: person, black: person, start });
    });
  }

  private offer(color: Color): void {
    const host = element(`spare-${color}`);
    for (const role of ROLES) {
      const button = create('button', 'spare', create('piece' as 'span', `${role} ${color}`));
      button.type = 'button';
      button.id = `spare-${color}-${role}`;
      button.setAttribute('aria-label', `${color} ${role}`);
      button.addEventListener('click', () => this.choose({ role, color }, button.id));
      // Or dragged onto the board.
      for (const kind of ['mousedown', 'touchstart'] as const) {
        button.addEventListener(kind, (event) => this.ground?.dragNewPiece({ role, color }, event as MouseEvent));
      }
      host.append(button);
    }
  }

  private choose(tool: Piece | 'empty' | null, id: string): void {
    this.tool = tool;
    for (const button of this.dialog.querySelectorAll('.spare')) {
      button.setAttribute('aria-pressed', String(button.id === id));
    }
    // A tool is put down by clicks; pieces are not picked up then.
    this.ground?.set({ draggable: { enabled: tool === null }, movable: { free: tool === null } });
  }

  private touched(key: Key): void {
    const { tool, ground } = this;
    if (tool === null || !ground) return;
    ground.selectSquare(null);
    ground.setPieces(new Map([[key, tool === 'empty' ? undefined : tool]]));
    this.changed();
  }

  /** What is on the board and in the fields, as FEN. */
  private changed(): void {
    if (!this.ground) return;
    const rights = RIGHTS.filter((right) => element<HTMLInputElement>(`right-${right}`).checked).join('');
    this.rest = '- 0 1';
    this.fen.value = `${this.ground.getFen()} ${this.turn.value} ${rights || '-'} ${this.rest}`;
    this.problem(null);
  }

  private read(fen: string): void {
    const [placement = '', turn = 'w', rights = '-', ...rest] = fen.split(/\s+/);
    this.ground?.set({ fen: placement, lastMove: [] });
    this.turn.value = turn === 'b' ? 'b' : 'w';
    for (const right of RIGHTS) element<HTMLInputElement>(`right-${right}`).checked = rights.includes(right);
    this.rest = rest.join(' ') || '- 0 1';
    this.fen.value = `${placement} ${this.turn.value} ${rights} ${this.rest}`;
    this.problem(null);
  }

  get isOpen(): boolean {
    return this.dialog.open;
  }

  open(fen: string): void {
    this.dialog.showModal();
    this.ground ??= Chessground(element('editor-board'), {
      animation: { enabled: false },
      movable: { free: true, color: 'both', showDests: false },
      premovable: { enabled: false },
      draggable: { deleteOnDropOff: true },
      drawable: { enabled: false },
      events: { change: () => this.changed(), select: (key) => this.touched(key) },
    });
    this.ground.redrawAll();
    this.choose(null, 'editor-hand');
    this.read(fen);
  }

  close(): void {
    this.dialog.close();
  }

  problem(text: string | null): void {
    const place = element('editor-problem');
    place.hidden = text === null;
    place.textContent = text;
  }
}
