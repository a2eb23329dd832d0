// The dialog for a new game, or for other players in this one.

import { create, element, reveal } from './dom';
import { ClocksForm, EngineForm } from './fields';
import { clockOf } from './messages';
import type { GameClock, Hello, Player, Request, Start, State } from './messages';
import { ENGINE, change, settings } from './settings';

type Send = (request: Request) => void;

export class NewGameDialog {
  private readonly dialog = element<HTMLDialogElement>('new-dialog');
  private readonly kind = element<HTMLSelectElement>('start-kind');
  private readonly part = (name: string) =>
    this.dialog.querySelector<HTMLElement>(`[data-part=${name}]`)!;
  /** One engine's, or White's and Black's if it plays itself. */
  private readonly engines = [
    new EngineForm(this.part('first')),
    new EngineForm(this.part('second')),
  ] as const;
  private readonly clocks = new ClocksForm(this.part);
  /** Where the last game began, if this page began it. */
  private last: { start: Start; fen: string } | null = null;
  private asked: Start | null = null;

  constructor(private readonly send: Send) {
    for (const radio of this.radios('opponent')) radio.addEventListener('change', () => this.update());
    this.kind.addEventListener('change', () => this.update());
    element('start-random').addEventListener('click', () => {
      element<HTMLInputElement>('start-number').value = String(Math.floor(Math.random() * 960));
    });
    element('new-cancel').addEventListener('click', () => this.dialog.close());
    element('new-players').addEventListener('click', () => {
      if (!this.playersAreValid()) return;
      const [white, black] = this.players();
      this.ask({ type: 'players', white, black });
    });
    this.dialog.querySelector('form')!.addEventListener('submit', (event) => {
      event.preventDefault();
      const [white, black] = this.players();
      this.begin(white, black, this.start());
    });
  }

  /** Points out the first field about the players that cannot be used. */
  private playersAreValid(): boolean {
    const fields = this.dialog.querySelectorAll<HTMLInputElement>(':is(.players, .timing) input');
    return [...fields].every((field) => field.reportValidity());
  }

  private radios(name: string): HTMLInputElement[] {
    return [...this.dialog.querySelectorAll<HTMLInputElement>(`[name=${name}]`)];
  }

  private chosen(name: string): string {
    return this.radios(name).find((radio) => radio.checked)?.value ?? '';
  }

  private choose(name: string, value: string): void {
    for (const radio of this.radios(name)) radio.checked = radio.value === value;
  }

  private players(): [Player, Player] {
    const [white, black] = this.clocks.read();
    const [first, second] = this.engines;
    const person = (clock: GameClock | null): Player => ({ kind: 'human', clock });
    switch (this.chosen('opponent')) {
      case 'itself':
        return [first.read(white), second.read(black)];
      case 'person':
        return [person(white), person(black)];
      default: {
        const color = this.chosen('color');
        const isWhite = color === 'random' ? Math.random() < 0.5 : color === 'white';
        return isWhite ? [person(white), first.read(black)] : [first.read(white), person(black)];
      }
    }
  }

  private begin(white: Player, black: Player, start: Start): void {
    this.asked = start;
    change({ players: [white, black] });
    this.ask({ type: 'newGame', white, black, start });
  }

  /** Another game from the same position. */
  again(state: State, swapped: boolean): void {
    const [white, black] = swapped ? state.players.toReversed() : state.players;
    const { fen } = state.start;
    const start = this.last?.fen === fen ? this.last.start : ({ kind: 'fen', fen } as const);
    this.begin(white!, black!, start);
  }

  /** What was asked for has been done. */
  done(state: State): void {
    if (this.asked) this.last = { start: this.asked, fen: state.start.fen };
    this.asked = null;
    this.dialog.close();
  }

  get isOpen(): boolean {
    return this.dialog.open;
  }

  /** Asks the server; the dialog stays until it agrees. */
  private ask(request: Request): void {
    this.problem(null);
    this.send(request);
  }

  problem(text: string | null): void {
    const place = element('new-problem');
    place.hidden = text === null;
    if (text !== null) this.asked = null;
    place.textContent = text;
  }

  private update(): void {
    const opponent = this.chosen('opponent');
    const itself = opponent === 'itself';
    reveal(this.part('color'), opponent === 'engine');
    this.part('first').hidden = opponent === 'person';
    this.part('second').hidden = !itself;
    this.part('first').setAttribute('aria-label', itself ? 'Gambeson as White' : 'Gambeson');
    this.engines[0].update(opponent !== 'person');
    this.engines[1].update(itself);
    this.clocks.update();
    for (const field of this.dialog.querySelectorAll<HTMLElement>('[data-start]')) {
      reveal(field, field.dataset.start === this.kind.value);
    }
  }

  private start(): Start {
    switch (this.kind.value) {
      case 'chess960':
        return { kind: 'chess960', number: element<HTMLInputElement>('start-number').valueAsNumber };
      case 'named':
        return { kind: 'named', name: element<HTMLSelectElement>('start-name').value };
      case 'fen':
        return { kind: 'fen', fen: element<HTMLInputElement>('start-fen').value };
      default:
        return { kind: 'standard' };
    }
  }

  limits(hello: Hello): void {
    for (const engine of this.engines) engine.limits(hello);
    const groups = Map.groupBy(hello.starts, (start) => start.group);
    const options = Array.from(groups, ([group, starts]) => {
      const made = create('optgroup', '', ...starts.map(({ name }) => new Option(name)));
      made.label = group;
      return made;
    });
    element('start-name').replaceChildren(...options);
  }

  /** From a position that was set up. */
  openAt(state: State, fen: string): void {
    this.open(state);
    this.kind.value = 'fen';
    element<HTMLInputElement>('start-fen').value = fen;
    this.update();
  }

  open(state: State): void {
    // Whoever looked at a game from elsewhere wants to play as before.
    const looked = state.players.every((player) => player.kind === 'human');
    const players = looked ? settings.players : state.players;
    const [white, black] = players;
    const engines = players.filter((player) => player.kind === 'engine');
    this.choose('opponent', ['person', 'engine', 'itself'][engines.length]!);
    if (this.chosen('color') !== 'random') {
      this.choose('color', white.kind === 'engine' && black.kind === 'human' ? 'black' : 'white');
    }
    const clocks = [clockOf(white), clockOf(black)] as const;
    const timed = clocks.some((clock) => clock !== null);
    // Whoever comes in is as strong as the one there was.
    this.engines.forEach((form, index) => form.fill(engines[index] ?? engines[0] ?? ENGINE, timed));
    this.clocks.fill(...clocks);
    this.problem(null);
    this.update();
    this.dialog.showModal();
  }
}
