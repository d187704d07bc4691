// Soft table sounds, synthesised on the fly: a card sliding over felt, wood, a small bell.

import { settings } from "./settings.svelte";

export type Sound = "card" | "cards" | "knock" | "canasta" | "refused" | "end";

let context: AudioContext | null = null;

function audio(): AudioContext | null {
  if (!settings.sounds || typeof AudioContext === "undefined") return null;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  return context;
}

function hush(on: AudioContext, at: number, length: number, frequency: number, volume: number): void {
  const samples = on.createBuffer(1, Math.ceil(on.sampleRate * length), on.sampleRate);
  const data = samples.getChannelData(0);
  for (let i = 0; i < data.length; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / data.length) ** 2;
  const noise = new AudioBufferSourceNode(on, { buffer: samples });
  const filter = new BiquadFilterNode(on, { type: "bandpass", frequency, Q: 0.8 });
  noise.connect(filter).connect(new GainNode(on, { gain: volume })).connect(on.destination);
  noise.start(at);
}

function tone(on: AudioContext, at: number, frequency: number, length: number, volume: number): void {
  const gain = new GainNode(on, { gain: 0 });
  gain.gain.setValueAtTime(volume, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  const wave = new OscillatorNode(on, { type: "sine", frequency });
  wave.connect(gain).connect(on.destination);
  wave.start(at);
  wave.stop(at + length);
}

export function play(sound: Sound): void {
  const on = audio();
  if (!on) return;
  const now = on.currentTime;
  switch (sound) {
    case "card":
      hush(on, now, 0.09, 2400, 0.22);
      break;
    case "cards":
      for (let i = 0; i < 5; i++) hush(on, now + i * 0.06, 0.08, 2100 + i * 150, 0.16);
      break;
    case "knock":
      hush(on, now, 0.05, 500, 0.5);
      tone(on, now, 190, 0.12, 0.3);
      hush(on, now + 0.14, 0.05, 520, 0.4);
      tone(on, now + 0.14, 205, 0.12, 0.22);
      break;
    case "canasta":
      [523, 659, 784].forEach((frequency, i) => tone(on, now + i * 0.09, frequency, 0.6, 0.09));
      break;
    case "refused":
      tone(on, now, 140, 0.14, 0.22);
      break;
    case "end":
      [392, 523, 659, 523].forEach((frequency, i) => tone(on, now + i * 0.14, frequency, 0.7, 0.08));
      break;
  }
}
