// Loading: a PGN or a FEN, from a file, from the clipboard or typed in.

import { element } from './dom';
import type { GameSummary, Player, Request } from './messages';

const PERSON: Player = { kind: 'human', clock: null };
/** Eight ranks, and at most the other fields of a FEN after them. */
const FEN = /^([pnbrqk1-8]+\/){7}[pnbrqk1-8]+(\s+\S+){0,5}$/i;

export function isFen(text: string): boolean {
  return FEN.test(text.trim());
}

function isPgn(text: string): boolean {
  return /^\s*\[\w+\s+"/m.test(text) || /\b1\s*\.+\s*[a-hKQRBNO]/.test(text);
}

/** The game, or the position to look at with nobody's help. */
function request(text: string, game: number | null): Request {
  if (!isFen(text)) return { type: 'loadPgn', text, game };
  const start = { kind: 'fen', fen: text.trim() } as const;
  return { type: 'newGame', white: PERSON, black: PERSON, start };
}

/** UTF-8, or else Latin-1, as old files have it. */
function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

export class LoadDialog {
  private readonly dialog = element<HTMLDialogElement>('load-dialog');
  private readonly text = element<HTMLTextAreaElement>('load-text');
  private readonly choice = element('load-choice');
  private readonly game = element<HTMLSelectElement>('load-game');

  constructor(private readonly send: (request: Request) => void) {
    this.text.addEventListener('input', () => (this.choice.hidden = true));
    element<HTMLInputElement>('load-file').addEventListener('change', (event) => {
      const file = (event.target as HTMLInputElement).files?.[0];
      if (file) void this.read(file);
    });
    element('load-cancel').addEventListener('click', () => this.dialog.close());
    this.dialog.querySelector('form')!.addEventListener('submit', (event) => {
      event.preventDefault();
      this.problem(null);
      const game = this.choice.hidden ? null : this.game.selectedIndex;
      this.send(request(this.text.value, game));
    });
    // A file dropped anywhere on the page is a game to load.
    addEventListener('dragover', (event) => event.preventDefault());
    addEventListener('drop', (event) => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file) {
        this.open();
        void this.read(file);
      }
    });
    addEventListener('paste', (event) => this.pasted(event));
  }

  /** A game or position pasted anywhere but into a field is shown before it is loaded. */
  private pasted(event: ClipboardEvent): void {
    if ((event.target as HTMLElement).closest('input, textarea, dialog')) return;
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (!isFen(text) && !isPgn(text)) return;
    event.preventDefault();
    this.open();
    this.text.value = text;
    this.dialog.querySelector<HTMLButtonElement>('button.primary')!.focus();
  }

  private async read(file: File): Promise<void> {
    try {
      this.text.value = decode(await file.arrayBuffer());
      this.choice.hidden = true;
    } catch {
      this.problem('Cannot read this file.');
    }
  }

  /** Shows the games of a text that has several. */
  choose(games: GameSummary[], more: boolean): void {
    const options = games.map(({ white, black, event, date, result, plies }, index) => {
      const moves = `${Math.ceil(plies / 2)} moves`;
      const parts = [`${white || '?'} – ${black || '?'}`, result, moves, date, event];
      return new Option(`${index + 1}. ${parts.filter((part) => part !== '').join(', ')}`);
    });
    this.game.replaceChildren(...options);
    this.game.selectedIndex = 0;
    this.choice.hidden = false;
    this.problem(more ? `Only the first ${games.length} games are listed.` : null);
    this.game.focus();
  }

  get isOpen(): boolean {
    return this.dialog.open;
  }

  open(): void {
    this.problem(null);
    this.choice.hidden = true;
    this.text.value = '';
    element<HTMLInputElement>('load-file').value = '';
    if (!this.dialog.open) this.dialog.showModal();
  }

  close(): void {
    this.dialog.close();
  }

  problem(text: string | null): void {
    const place = element('load-problem');
    place.hidden = text === null;
    place.textContent = text;
  }
}
