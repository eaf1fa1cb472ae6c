import type { Recording } from '../src/client/voice/wav-file.js';

export function noisy(recording: Recording, decibels: number): Recording;
export function quiet(recording: Recording, decibels: number): Recording;
