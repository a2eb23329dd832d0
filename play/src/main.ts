// Puts the page together: messages change the model, the model is drawn, and what
// the user does becomes requests. No rule of chess is known here.

import 'chessground/assets/chessground.base.css';
import 'chessground/assets/chessground.brown.css';
import 'chessground/assets/chessground.cburnett.css';
import './style.css';
import { Annotate } from './annotate';
import { Board } from './board';
import { Clocks } from './clocks';
import { confirm } from './confirm';
import { Connection, gameName, rename } from './connection';
import { Drawings } from './drawings';
import { element, setText } from './dom';
import { EditorDialog } from './editor';
import { GamesDialog } from './games';
import { Graph } from './graph';
import { Hint } from './hint';
import { LoadDialog } from './load';
import type { Request, State, Update } from './messages';
import { MoveMenu } from './menu';
import { Mistakes } from './mistakes';
import { Model, describe } from './model';
import { MoveList } from './moves';
import { NewGameDialog } from './new-game';
import { loadNames, openingOf, type Names } from './openings';
import { addFlatPieces } from './pieces';
import { drawBar } from './score';
import { applyTheme, change, settings } from './settings';
import { wireResize } from './resize';
import { SettingsDialog } from './settings-dialog';
import { playSound } from './sound';
import { Squares } from './squares';
import { Thinking } from './thinking';

const MESSAGE_TIME = 8000;

addFlatPieces();
applyTheme();
const model = new Model();
const clocks = new Clocks(model);
const connection = new Connection(receive, (connected) => {
  element('offline').hidden = connected;
});
const drawings = new Drawings((at, shapes) => {
  // In a game against the engine they are a help for a moment, and no part of the game.
  if (!model.opposed) send({ type: 'draw', at, shapes });
});
const board = new Board(element('board'), (text) => send({ type: 'move', text }), draw, analyse, (shapes) => {
  drawings.change(model.at, shapes);
});
const moves = new MoveList(element('moves'), goTo);
const goToPly = (ply: number) => goTo(model.state?.moves[ply - 1]?.id ?? 0);
const graph = new Graph(element('graph'), goToPly);
const mistakes = new Mistakes(model, goToPly);
const newGame = new NewGameDialog(send);
const games = new GamesDialog(gameName, say);
const load = new LoadDialog(send, (file, name) => games.upload(file, name));
const settingsDialog = new SettingsDialog(draw, send);
const editor = new EditorDialog(send, (fen) => model.state && newGame.openAt(model.state, fen));
const annotate = new Annotate(model, send);
new MoveMenu(element('moves'), {
  isVariation: (id) => model.branchOf(id) !== null,
  promote: (at, main) => send({ type: 'promote', at, main }),
  comment: (id) => {
    goTo(id);
    comment(id);
  },
  remove: (at) => send({ type: 'delete', at }),
});
new Squares(model, (square) => board.select(square));
wireResize();

const thinking = new Thinking(model, (played) => {
  if (!model.state?.analysis) analyse();
  for (const text of played) send({ type: 'move', text });
});
const hint = new Hint(model, send, (san) => {
  say(`Hint: ${san}.`);
  draw();
});

let names: Names = {};
void loadNames().then((loaded) => {
  names = loaded;
  draw();
});

/** The move that is to be commented on. */
let commenting: number | null = null;

let messageTimer = 0;

function say(text: string, stays = false): void {
  const place = element('message');
  setText(place, text);
  place.hidden = false;
  place.classList.toggle('stays', stays);
  clearTimeout(messageTimer);
  if (!stays) messageTimer = window.setTimeout(hush, MESSAGE_TIME);
}

function hush(): void {
  element('message').hidden = true;
}

/** Shows a problem where the user is looking. */
function complain(text: string): void {
  if (newGame.isOpen) newGame.problem(text);
  else if (load.isOpen) load.problem(text);
  else if (editor.isOpen) editor.problem(text);
  else if (settingsDialog.isOpen) settingsDialog.problem(text);
  else say(text);
}

function send(request: Request): void {
  if (request.type === 'move') hint.leave();
  // What was said is about another game; the answer may say something about the new one.
  if (request.type === 'newGame' || request.type === 'loadPgn') hush();
  const problem = connection.send(request);
  if (problem) {
    complain(problem);
    draw();
  }
}

function receive(update: Update): void {
  switch (update.type) {
    case 'hello':
      model.hello = update;
      hint.leave();
      drawings.forget();
      newGame.limits(update);
      settingsDialog.limits(update);
      offerLines(update.maxLines);
      offerDepths();
      break;
    case 'state':
      accept(hint.disguise(update));
      break;
    case 'thinking':
      model.think(update.fen, update.lines);
      hint.heard();
      drawThinking();
      break;
    case 'pgn':
      if (copying) void copy(update.text, 'Game copied.');
      else download(update.name, update.text);
      copying = false;
      break;
    case 'several':
      void load.several();
      break;
    case 'engine':
      settingsDialog.accepted(update);
      break;
    case 'accepted':
      if (model.state) newGame.done(model.state);
      load.close();
      editor.close();
      model.peeking = false;
      model.browsed = null;
      draw();
      break;
    case 'notice':
      say(update.text, update.stays);
      break;
    case 'error':
      complain(update.text);
      drawings.forget();
      // The board may show a move that was refused.
      draw();
      break;
  }
}

function accept(state: State): void {
  const before = model.state;
  model.accept(state);
  if (before?.game !== state.game) drawings.forget();
  drawings.heard((at) => model.shapes(at));
  rename(state.game);
  const grew = before !== null && state.moves.length > before.moves.length;
  const same = before?.start.fen === state.start.fen && state.moves.length >= before.moves.length;
  if (!same || before?.game !== state.game) model.browsed = null;
  if (grew && before.turn !== state.turn && !isEngine(state, before.turn)) {
    // One's own move belongs on the board, wherever one was looking.
    model.browsed = null;
    hush();
  }
  if (grew) playSound(state.moves[state.moves.length - 1]!.san);
  if (before === null || before.players.some((player, i) => player.kind !== state.players[i]!.kind)) {
    const [white, black] = state.players;
    model.orientation = white.kind === 'engine' && black.kind === 'human' ? 'black' : 'white';
  }
  clocks.update();
  draw();
}

function isEngine(state: State, color: 'white' | 'black'): boolean {
  return state.players[color === 'white' ? 0 : 1].kind === 'engine';
}

function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/x-chess-pgn' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** The game that is asked for is for the clipboard. */
let copying = false;

async function copy(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(done);
  } catch {
    say('The browser does not allow copying.');
  }
}

/** Shows the position after another move, of the game or of a variation. */
function goTo(at: number): void {
  const { state } = model;
  if (!state) return;
  if (state.analysis) {
    send({ type: 'look', at });
    return;
  }
  model.browsed = at === model.last ? null : at;
  draw();
}

function step(by: number): void {
  const { line, ply } = model;
  const wanted = Math.max(0, Math.min(ply + by, line.length));
  if (wanted !== ply) goTo(line[wanted - 1]?.id ?? 0);
}

/** Into the next of the lines that could follow, or back to where this one began. */
function enter(): void {
  const [main, ...others] = model.branches;
  const next = others[0] ?? main;
  if (next !== undefined) goTo(next);
}

function leave(): void {
  if (model.branch !== null) goTo(model.branch);
}

function draw(): void {
  const { state, shown } = model;
  if (!state || !shown) return;
  const shapes = drawings.shown(model.at, model.shapes(model.at));
  board.show(model, state, shown, shapes);
  moves.show(model, state);
  graph.show(model, state);
  mistakes.show(state);
  annotate.show(state);
  if (commenting === model.at && !element('annotate').hidden) {
    commenting = null;
    element('comment').focus();
  }
  clocks.draw();
  setText(element('status'), status(state));
  const mine = model.opposed && !isEngine(state, state.turn) && state.moves.length > 0;
  document.title = `${mine ? 'Your move' : state.names.join(' – ')} · Gambeson`;
  setText(element('position-text'), describe(shown.fen, shapes));
  const opening = openingOf(names, model.before);
  setText(element('opening'), opening);
  element('opening').hidden = opening === '';
  drawControls(state);
  drawThinking();
}

function drawThinking(): void {
  if (!model.state) return;
  thinking.show();
  const hinted = model.hint && model.hint.fen === model.shown?.fen ? [model.hint.uci] : [];
  const best = model.lines.map((line) => line.uci[0] ?? '');
  board.arrows(model.state.analysis && settings.arrows ? best : hinted);
  drawBar(model);
}

function status(state: State): string {
  const side = state.turn === 'white' ? 'White' : 'Black';
  const last = state.moves[state.moves.length - 1];
  const played = last ? `${last.san}. ` : '';
  if (state.review !== null) return `Evaluating move ${state.review} of ${state.moves.length}…`;
  if (state.analysis) return 'Analysis. Move either side’s pieces.';
  if (state.end) return played + state.end.text;
  if (state.waiting) return 'Gambeson is busy in other tabs; close one of them.';
  if (state.paused) return 'Paused.';
  if (isEngine(state, state.turn)) return `${played}Gambeson is thinking for ${side}.`;
  return `${played}${side} to move${last?.check ? ', in check' : ''}.`;
}

function drawControls(state: State): void {
  const { analysis, end } = state;
  const humans = state.players.filter((player) => player.kind === 'human').length;
  const timed = state.clocks.left.some((left) => left !== null);
  const playing = !end && !analysis;
  const show = (id: string, visible: boolean) => (element(id).hidden = !visible);
  const enable = (id: string, enabled: boolean) =>
    (element<HTMLButtonElement>(id).disabled = !enabled);
  show('take-back', !analysis && !model.isForeign);
  enable('take-back', state.moves.length > 0);
  enable('move-now', state.thinking);
  show('hint', playing && humans > 0);
  enable('hint', model.shown?.live === true && !isEngine(state, state.turn) && !hint.isBusy);
  show('move-now', playing && humans < 2);
  show('pause', playing && (humans === 0 || timed || state.paused));
  setText(element('pause'), state.paused ? 'Go on' : 'Pause');
  show('offer-draw', playing && humans > 0);
  show('resign', playing && humans > 0);
  show('rematch', end !== null && !analysis && !model.isForeign);
  show('swap', end !== null && !analysis && humans === 1);
  show('speed-label', humans === 0);
  element<HTMLSelectElement>('speed').value = String(state.speed);
  element('analyse').setAttribute('aria-pressed', String(analysis !== null));
  setText(element('analyse'), analysis ? 'Back to the game' : 'Analyse');
  show('lines-label', analysis !== null);
  show('depth-label', analysis !== null);
  show('adopt', analysis !== null);
  show('review', !analysis);
  enable('review', state.moves.length > 0);
  setText(element('review'), state.review === null ? 'Evaluate the game' : 'Stop evaluating');
  show('undo', state.undo !== null);
  setText(element('undo'), `Undo: ${state.undo ?? ''}`);
  enable('first', model.ply > 0);
  enable('previous', model.ply > 0);
  enable('next', model.ply < model.line.length);
  enable('last', model.ply < model.line.length);
}

function offerLines(most: number): void {
  const select = element<HTMLSelectElement>('lines');
  const options = Array.from({ length: most }, (_, index) => new Option(String(index + 1)));
  select.replaceChildren(...options);
  select.value = String(settings.lines);
}

/** Where the engine may stop. */
const DEPTHS = [10, 15, 20, 25, 30, 40];

function offerDepths(): void {
  const select = element<HTMLSelectElement>('depth');
  select.replaceChildren(new Option('∞', '0'), ...DEPTHS.map((depth) => new Option(String(depth))));
  select.value = String(settings.depth);
  if (select.selectedIndex < 0) select.value = '0';
}

/** Looks at the position on the board, with as many lines and as deeply as wanted. */
function analyse(): void {
  const { lines, depth } = settings;
  send({ type: 'analyse', at: model.at, lines, depth: depth || null });
}

function on(id: string, act: (state: State) => void): void {
  element(id).addEventListener('click', () => {
    if (model.state) act(model.state);
  });
}

on('new-game', (state) => newGame.open(state));
on('open-game', () => load.open());
on('save-game', () => {
  copying = false;
  send({ type: 'pgn' });
});
on('open-settings', () => settingsDialog.open(model.shown?.fen ?? '', model.hello?.version ?? ''));
on('open-games', () => void games.open());
on('open-editor', () => editor.open(model.shown?.fen ?? ''));
element('message').addEventListener('click', hush);
on('undo', () => send({ type: 'undo' }));
on('first', () => step(-Infinity));
on('previous', () => step(-1));
on('next', () => step(1));
on('last', () => step(Infinity));
on('flip', flip);
on('take-back', () => send({ type: 'takeBack' }));
on('move-now', () => send({ type: 'moveNow' }));
on('pause', (state) => send({ type: 'pause', on: !state.paused }));
on('offer-draw', (state) => {
  const offer = () => send({ type: 'offerDraw' });
  if (state.players.some((player) => player.kind === 'engine')) return offer();
  const [side, other] = state.turn === 'white' ? ['White', 'Black'] : ['Black', 'White'];
  confirm(`${side} offers a draw. Does ${other} accept?`, 'Accept', 'Decline', offer);
});
on('resign', (state) => {
  const person = state.players.findIndex((player) => player.kind === 'human');
  const two = state.players.every((player) => player.kind === 'human');
  const side = two ? state.turn : person === 0 ? 'white' : 'black';
  confirm(`Resign the game for ${side === 'white' ? 'White' : 'Black'}?`, 'Resign', 'Play on', () =>
    send({ type: 'resign' }),
  );
});
on('hint', () => {
  hint.ask();
  draw();
});
on('open-help', () => element<HTMLDialogElement>('help-dialog').showModal());
on('curtain', peek);
on('rematch', (state) => newGame.again(state, false));
on('swap', (state) => newGame.again(state, true));
on('copy-fen', () => void copy(model.shown?.fen ?? '', 'Position copied.'));
on('copy-pgn', () => {
  copying = true;
  send({ type: 'pgn' });
});
on('analyse', (state) => {
  if (!state.analysis) return analyse();
  // A game that is over has no place one must go back to.
  if (state.end) model.browsed = model.at === model.last ? null : model.at;
  send({ type: 'stopAnalysing' });
});
on('adopt', () => send({ type: 'adopt' }));
on('review', (state) => send({ type: state.review === null ? 'review' : 'stopAnalysing' }));

element<HTMLSelectElement>('speed').addEventListener('change', (event) => {
  send({ type: 'speed', millis: Number((event.target as HTMLSelectElement).value) });
});

element<HTMLSelectElement>('lines').addEventListener('change', (event) => {
  change({ lines: Number((event.target as HTMLSelectElement).value) });
  if (model.state?.analysis) analyse();
});

element<HTMLSelectElement>('depth').addEventListener('change', (event) => {
  change({ depth: Number((event.target as HTMLSelectElement).value) });
  if (model.state?.analysis) analyse();
});

element('type-move').addEventListener('submit', (event) => {
  event.preventDefault();
  const typed = element<HTMLInputElement>('typed');
  const text = typed.value.trim();
  if (text) send({ type: 'move', text });
  typed.value = '';
});

function flip(): void {
  model.orientation = model.orientation === 'white' ? 'black' : 'white';
  draw();
}

function peek(): void {
  model.peeking = !model.peeking;
  draw();
}

/** Whatever is the obvious next thing. */
function proceed(): void {
  const { state } = model;
  const best = model.lines[0]?.uci[0];
  if (state?.analysis) {
    if (best) send({ type: 'move', text: best });
  } else if (state && !state.end && state.players.every((player) => player.kind === 'engine')) {
    send({ type: 'pause', on: !state.paused });
  } else {
    step(Infinity);
  }
}

/** Goes to the field for comments, as soon as there is one for this move. */
function comment(at: number): void {
  if (model.opposed) return;
  commenting = at;
  if (model.state?.analysis) draw();
  else analyse();
}

/** As if the button were pressed, which it cannot be while it is hidden or disabled. */
function press(id: string): void {
  const button = element<HTMLButtonElement>(id);
  if (!button.hidden) button.click();
}

const KEYS: Record<string, () => void> = {
  // From the best to the worst: !!, !, !?, ?!, ? and ??.
  ...Object.fromEntries([3, 1, 5, 6, 2, 4].map((nag, index) => [index + 1, () => annotate.glyph(nag)])),
  ArrowLeft: () => step(-1),
  ArrowRight: () => step(1),
  ArrowUp: () => step(-Infinity),
  ArrowDown: () => step(Infinity),
  ' ': proceed,
  a: () => press('analyse'),
  e: peek,
  f: flip,
  g: () => press('open-games'),
  h: () => press('hint'),
  m: () => annotate.promote(true),
  u: () => press('undo'),
  c: () => comment(model.at),
  Delete: () => {
    if (!element('annotate').hidden) annotate.remove();
  },
  '?': () => press('open-help'),
  Escape: hush,
};

/** With the shift key held. */
const SHIFTED: Record<string, () => void> = {
  ArrowRight: enter,
  ArrowLeft: leave,
  ArrowUp: () => annotate.promote(false),
};

addEventListener('keydown', (event) => {
  const target = event.target as HTMLElement;
  // A dialog that was just closed may keep the focus for a moment.
  const typing = target.closest('input, textarea, select, dialog[open]') !== null;
  if (typing || event.ctrlKey || event.altKey || event.metaKey) return;
  // Space presses the button that has the focus.
  const keys = event.shiftKey && event.key.startsWith('Arrow') ? SHIFTED : KEYS;
  const act = event.key === ' ' && target.closest('button') ? undefined : keys[event.key];
  if (act) {
    event.preventDefault();
    act();
  }
});

/** A notch of a mouse wheel; touchpads send many small steps instead. */
const NOTCH = 60;
let turned = 0;
element('board-box').addEventListener(
  'wheel',
  (event) => {
    if (event.ctrlKey) return;
    event.preventDefault();
    if (Math.sign(event.deltaY) !== Math.sign(turned)) turned = 0;
    turned += event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * NOTCH;
    if (Math.abs(turned) < NOTCH) return;
    step(Math.sign(turned));
    turned = 0;
  },
  { passive: false },
);
