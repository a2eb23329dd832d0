// Loading: a PGN or a FEN, from a file, from the clipboard or typed in.

import { element } from './dom';
import type { Player, Request } from './messages';

const PERSON: Player = { kind: 'human', clock: null };
/** Eight ranks, and at most the other fields of a FEN after them. */
const FEN = /^([pnbrqk1-8]+\/){7}[pnbrqk1-8]+(\s+\S+){0,5}$/i;

export function isFen(text: string): boolean {
  return FEN.test(text.trim());
}

function isPgn(text: string): boolean {
  return /^\s*\[\w+\s+"/m.test(text) || /\b1\s*\.+\s*[a-hKQRBNO]/.test(text);
}

/** More than this is not shown as text, but handed on as a file. */
const LARGEST_TEXT = 1 << 20;

/** The game, or the position to look at with nobody's help. */
function request(text: string): Request {
  if (!isFen(text)) return { type: 'loadPgn', text };
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
  /** The file that was picked, unless its text has been changed. */
  private file: File | null = null;

  constructor(
    private readonly send: (request: Request) => void,
    private readonly upload: (file: Blob, name: string) => Promise<void>,
  ) {
    this.text.addEventListener('input', () => (this.file = null));
    element<HTMLInputElement>('load-file').addEventListener('change', (event) => {
      const file = (event.target as HTMLInputElement).files?.[0];
      if (file) void this.read(file);
    });
    element('load-cancel').addEventListener('click', () => this.dialog.close());
    this.dialog.querySelector('form')!.addEventListener('submit', (event) => {
      event.preventDefault();
      this.problem(null);
      if (this.file && this.file.size > LARGEST_TEXT) void this.several();
      else this.send(request(this.text.value));
    });
    // A file dropped anywhere on the page is a game to load.
    const over = (is: boolean) => document.body.classList.toggle('dropping', is);
    addEventListener('dragover', (event) => {
      event.preventDefault();
      over(event.dataTransfer?.types.includes('Files') ?? false);
    });
    addEventListener('dragleave', (event) => event.relatedTarget === null && over(false));
    addEventListener('drop', (event) => {
      event.preventDefault();
      over(false);
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
    this.problem(null);
    try {
      const large = file.size > LARGEST_TEXT;
      this.text.value = large
        ? `${file.name}: ${Math.ceil(file.size / (1 << 20))} MB`
        : decode(await file.arrayBuffer());
      this.file = file;
    } catch {
      this.problem('Cannot read this file.');
    }
  }

  /** There are several games: they become a list. */
  async several(): Promise<void> {
    const { file } = this;
    this.problem(null);
    const button = this.dialog.querySelector<HTMLButtonElement>('button.primary')!;
    button.disabled = true;
    try {
      const text = new Blob([this.text.value]);
      await this.upload(file ?? text, file?.name ?? 'Pasted games');
      this.dialog.close();
    } catch (error) {
      this.problem(`Cannot open this file: ${(error as Error).message}`);
    }
    button.disabled = false;
  }

  get isOpen(): boolean {
    return this.dialog.open;
  }

  open(): void {
    this.problem(null);
    this.file = null;
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
