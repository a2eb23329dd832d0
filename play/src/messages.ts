// What page and server say to each other, as src/web/message.rs has it.

import type { MoveView, Player, StartRequest, TimeControl, Update } from './protocol';

export type {
  Color, EngineLimits, EngineSettings, Eval, GameList, Level, Line, ListedFile, ListedGame, Player,
  Request, State, TimeControl, Update,
} from './protocol';
export type Move = MoveView;
export type Start = StartRequest;
export type Hello = Extract<Update, { type: 'hello' }>;

export function clockOf(player: Player): TimeControl | null {
  if (player.kind === 'human') return player.clock;
  return player.level.by === 'clock' ? player.level.clock : null;
}
