// A wooden click for a move, a sharper one for a capture. Made on the spot, off
// until asked for.

import { settings } from './settings';

let audio: AudioContext | null = null;

export function playSound(san: string): void {
  if (!settings.sound) return;
  audio ??= new AudioContext();
  const capture = san.includes('x');
  const check = san.includes('+') || san.includes('#');
  knock(audio, audio.currentTime, capture ? 900 : 500, capture ? 0.5 : 0.35);
  if (check) knock(audio, audio.currentTime + 0.09, 1300, 0.3);
}

function knock(context: AudioContext, when: number, pitch: number, volume: number): void {
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  oscillator.type = 'triangle';
  oscillator.frequency.setValueAtTime(pitch, when);
  oscillator.frequency.exponentialRampToValueAtTime(pitch / 4, when + 0.06);
  gain.gain.setValueAtTime(volume, when);
  gain.gain.exponentialRampToValueAtTime(0.001, when + 0.08);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(when);
  oscillator.stop(when + 0.1);
}
