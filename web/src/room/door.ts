// How a page comes into a room: it makes one, or knows a code. The host's token
// comes once in the address and is then kept by this window alone.

import type {Address} from '../address.ts';
import type {Engine} from '../engine/client.ts';
import {textOf} from '../link/of.ts';
import type {SharedRun} from '../run/shared.ts';
import {words} from '../words.ts';
import {typed} from './protocol.ts';
import {Room} from './room.ts';
import './panel.ts';

const key = (code: string) => `room/${code}`;

export function enter(run: SharedRun, engine: Engine, address: Address & {kind: 'room'}): Room {
  const code = typed(address.code);
  if (address.token) sessionStorage.setItem(key(code), address.token);
  // Whoever sees this window must not see the token.
  history.replaceState(null, '', `#room=${code}`);
  return new Room(run, engine, new URL('.', location.href).href, code, sessionStorage.getItem(key(code)) ?? '');
}

/** Makes a room of what is shown; the answer is its address. */
export async function create(run: SharedRun): Promise<string> {
  const body = JSON.stringify({text: await textOf(run), at: run.now});
  const response = await fetch('api/rooms', {method: 'POST', headers: {'Content-Type': 'application/json'}, body}).catch(() => null);
  const answer = await response?.json().catch(() => null) as {room?: string; token?: string; error?: string} | null;
  if (!answer || (!answer.error && !answer.room)) throw new Error(words.share.noRooms);
  if (answer.error) throw new Error(answer.error);
  return `#room=${answer.room}&host=${answer.token}`;
}
