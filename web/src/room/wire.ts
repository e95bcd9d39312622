// The connection to a room: it comes back by itself, with the number of the
// last line that it has, and finds out when nobody is there any more.

import {FINAL, PROTOCOL, type FromRoom, type ToRoom} from './protocol.ts';

/** Pauses before the next attempt, ms; the last one again and again. */
const PAUSES = [250, 500, 1000, 2000, 5000];
/** A connection that is silent for so long is asked, and after as long again is given up, ms. */
const SILENCE = 20_000;

export interface Listener {
  frame(frame: FromRoom): void;
  /** final: it does not come back by itself. */
  lost(reason: string, final: boolean): void;
  /** The number of the last line that was taken. */
  last(): number;
}

export class Wire {
  private socket: WebSocket | null = null;
  private attempts = 0;
  private timer = 0;
  private heard = 0;
  private closed = false;

  constructor(private readonly url: string, private readonly token: string, private readonly listener: Listener) {
    this.connect();
    addEventListener('online', this.now);
  }

  send(frame: ToRoom): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    removeEventListener('online', this.now);
    this.socket?.close();
  }

  /** Leaves and comes back, to be told everything again. */
  again(): void {
    this.socket?.close(4000);
  }

  private readonly now = () => {
    if (this.closed || this.socket?.readyState === WebSocket.OPEN) return;
    clearTimeout(this.timer);
    this.connect();
  };

  private connect(): void {
    const socket = this.socket = new WebSocket(this.url);
    let end: FromRoom & {type: 'end'} | null = null;
    this.heard = performance.now();
    socket.onopen = () => {
      socket.send(JSON.stringify({type: 'join', protocol: PROTOCOL, ...this.token && {token: this.token}, after: this.listener.last()} satisfies ToRoom));
      this.watch(socket);
    };
    socket.onmessage = ({data}: MessageEvent<string>) => {
      this.heard = performance.now();
      if (data === 'pong') return;
      const frame = JSON.parse(data) as FromRoom;
      if (frame.type === 'welcome') this.attempts = 0;
      if (frame.type === 'end') {
        end = frame;
        socket.close();
      }
      this.listener.frame(frame);
    };
    socket.onclose = (e) => {
      if (socket !== this.socket || this.closed) return;
      const final = FINAL.has(end?.code ?? e.code);
      this.listener.lost(end?.reason ?? e.reason, final);
      if (final) this.close();
      else this.timer = window.setTimeout(() => this.connect(), PAUSES[Math.min(this.attempts++, PAUSES.length - 1)]);
    };
  }

  private watch(socket: WebSocket): void {
    if (socket !== this.socket || socket.readyState !== WebSocket.OPEN) return;
    const silent = performance.now() - this.heard;
    if (silent > 2 * SILENCE) return socket.close(4000);
    if (silent > SILENCE / 2) socket.send('ping');
    setTimeout(() => this.watch(socket), SILENCE / 2);
  }
}
