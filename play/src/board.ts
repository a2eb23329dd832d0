// The board: chessground draws it, the server says what may move where.

import { Chessground } from 'chessground';
import type { Api } from 'chessground/api';
import type { DrawShape } from 'chessground/draw';
import type { Key } from 'chessground/types';
import { create } from './dom';
import { drawn, written } from './drawings';
import type { Color, State } from './messages';
import type { Model, Shown } from './model';

const ROLES = { q: 'queen', n: 'knight', r: 'rook', b: 'bishop' } as const;

export class Board {
  private readonly ground: Api;
  private menu: HTMLElement | null = null;
  private promotions: string[] = [];
  private turn: Color = 'white';
  private invites = false;
  /** The position drawn, or null if the user has moved something since. */
  private drawn: string | null = null;
  /** The position the server last asked for. */
  private asked = '';

  constructor(
    private readonly host: HTMLElement,
    private readonly move: (text: string) => void,
    private readonly undo: () => void,
    /** A piece was picked up where moves are only tried. */
    private readonly tries: () => void,
    /** All that is drawn on the board now. */
    draw: (shapes: string[]) => void,
  ) {
    this.ground = Chessground(host, {
      animation: { duration: 180 },
      movable: { free: false, showDests: true, events: { after: (from, to) => this.moved(from, to) } },
      events: { select: (square) => this.selected(square) },
      drawable: {
        // Only a click on an empty square takes drawings away, no move does.
        eraseOnClick: false,
        onChange: (shapes) => draw(shapes.map(written)),
        brushes: {
          green: { key: 'g', color: '#15781b', opacity: 0.9, lineWidth: 10 },
          red: { key: 'r', color: '#882020', opacity: 0.9, lineWidth: 10 },
          blue: { key: 'b', color: '#003088', opacity: 0.9, lineWidth: 10 },
          yellow: { key: 'y', color: '#e68f00', opacity: 0.9, lineWidth: 10 },
          best: { key: 'best', color: '#1f6f8b', opacity: 0.8, lineWidth: 14 },
          good: { key: 'good', color: '#1f6f8b', opacity: 0.45, lineWidth: 9 },
        },
      },
    });
  }

  show(model: Model, state: State, shown: Shown, shapes: string[]): void {
    // News about anything but the position must not disturb a choice or a drag.
    const same = this.drawn === shown.fen && model.orientation === this.ground.state.orientation;
    if (this.menu && this.asked === shown.fen) return;
    this.closeMenu();
    this.asked = shown.fen;
    this.drawn = shown.fen;
    this.turn = shown.turn;
    this.promotions = shown.live ? state.promotions : [];
    const destinations = shown.live ? Object.entries(state.destinations) : [];
    // While the engine thinks, its opponent may already move.
    const premover = shown.live && model.opposed && !state.paused ? opponent(state) : undefined;
    this.invites = model.invites;
    const mover = destinations.length > 0 || this.invites ? shown.turn : premover;
    this.ground.set({
      ...(same ? {} : { fen: shown.fen }),
      orientation: model.orientation,
      turnColor: shown.turn,
      check: shown.check ? shown.turn : false,
      lastMove: shown.lastMove ? squares(shown.lastMove) : [],
      movable: {
        // What is legal is known as soon as the analysis has begun.
        free: this.invites,
        color: mover,
        dests: new Map(destinations as [Key, Key[]][]),
      } as { color?: Color; dests: Map<Key, Key[]> },
    });
    this.ground.setShapes(shapes.map(drawn));
    if (destinations.length > 0) this.ground.playPremove();
    else if (!mover) this.ground.cancelPremove();
  }

  /** An arrow for each of these moves, the first one boldest. */
  arrows(moves: string[]): void {
    const shapes = moves.flatMap((uci, index): DrawShape[] => {
      if (!uci) return [];
      const [orig, dest] = squares(uci);
      return [{ orig, dest, brush: index === 0 ? 'best' : 'good' }];
    });
    this.ground.setAutoShapes(shapes);
  }

  private selected(square: Key): void {
    if (!this.invites || this.ground.state.pieces.get(square)?.color !== this.turn) return;
    this.invites = false;
    this.tries();
  }

  /** As a click on the square would. */
  select(square: string): void {
    this.ground.selectSquare(square as Key);
  }

  private moved(from: Key, to: Key): void {
    this.drawn = null;
    if (this.promotions.includes(from + to)) this.openMenu(from, to);
    else this.move(from + to);
  }

  /** Four pieces in the mover's colour, beginning on the square of promotion. */
  private openMenu(from: Key, to: Key): void {
    const file = to.charCodeAt(0) - 'a'.charCodeAt(0);
    const white = this.ground.state.orientation === 'white';
    const column = white ? file : 7 - file;
    const atTop = (to[1] === '8') === white;
    const menu = create('div', `promotion ${atTop ? 'top' : 'bottom'}`);
    menu.setAttribute('role', 'dialog');
    menu.setAttribute('aria-label', 'Promote to');
    const pieces = create('div', 'choices');
    pieces.style.left = `${column * 12.5}%`;
    for (const [letter, role] of Object.entries(ROLES)) {
      const button = create('button', '', create('piece' as 'span', `${role} ${this.turn}`));
      button.type = 'button';
      button.setAttribute('aria-label', role);
      button.addEventListener('click', (event) => {
        event.stopPropagation();
        this.closeMenu();
        this.move(from + to + letter);
      });
      pieces.append(button);
    }
    menu.append(pieces);
    const cancel = () => {
      this.closeMenu();
      this.undo();
    };
    menu.addEventListener('click', cancel);
    menu.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') cancel();
    });
    this.host.append(menu);
    this.menu = menu;
    pieces.querySelector('button')?.focus();
  }

  private closeMenu(): void {
    this.menu?.remove();
    this.menu = null;
  }
}

function squares(uci: string): [Key, Key] {
  return [uci.slice(0, 2) as Key, uci.slice(2, 4) as Key];
}

/** Who plays against the engine. */
function opponent(state: State): Color {
  return state.players[0].kind === 'human' ? 'white' : 'black';
}
