// A room as a Durable Object: a Go module that knows the rules, and here the
// sockets, the store and the timer. It sleeps while nothing is to be done; its
// sockets stay open (hibernation).
import {DurableObject} from 'cloudflare:workers';
import './build/wasm_exec.js';
import module from './build/room.wasm';

const tick = 100; // milliseconds
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const noRoom = 'there is no such room; it may have ended';

export class Room extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env);
    this.sockets = new Map();
    this.outbox = []; // what the room has sent and nobody has got yet
    this.exists = false;
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'));
    ctx.blockConcurrencyWhile(async () => {
      this.start();
      const save = await ctx.storage.get('save');
      if (save) this.load(save);
    });
  }

  /** Goes on with a room that was put away or lost its process. */
  load(save) {
    this.put(save);
    const length = this.room.room_load();
    this.exists = !length;
    if (length) this.fault = JSON.parse(this.text(this.room.room_out(), length)).error;
    for (const socket of this.ctx.getWebSockets()) {
      const {id, role} = socket.deserializeAttachment();
      this.sockets.set(id, socket);
      if (this.fault) this.deliver(socket, undefined, 4500, this.fault.slice(0, 120));
      else if (role) this.room.room_resume(id, role === 2);
      else this.room.room_join(id);
    }
    if (this.exists) this.settle();
    if (!this.sockets.size) this.expire();
  }

  /** Starts the Go module. */
  start() {
    let frame;
    const go = new Go();
    const instance = new WebAssembly.Instance(module, {
      ...go.importObject,
      room: {
        send: (id, at, length) => this.outbox.push({id, frame: (frame = this.text(at, length))}),
        again: (id) => this.outbox.push({id, frame}),
        close: (id, code, at, length) => this.outbox.push({id, code, reason: this.text(at, length)}),
      },
    });
    this.room = instance.exports;
    go.run(instance);
  }

  bytes(at, length) {
    return new Uint8Array(this.room.mem.buffer, at >>> 0, length);
  }

  text(at, length) {
    return decoder.decode(this.bytes(at, length));
  }

  put(bytes) {
    this.bytes(this.room.room_in(bytes.length), bytes.length).set(bytes);
  }

  /**
   * Lets the room do something. What has changed is stored first, then sent: the
   * platform holds what goes out until the store has confirmed.
   */
  call(something) {
    try {
      something(this.room);
      this.settle();
    } catch (failure) {
      this.ctx.abort(String(failure)); // viewers are cut off, come back, and it starts from what is stored
    }
  }

  settle() {
    const ended = this.room.room_ended();
    if (ended) this.forget();
    else if (this.room.room_unsaved()) {
      const length = this.room.room_save();
      this.ctx.storage.put('save', this.bytes(this.room.room_out(), length).slice());
    }
    for (const {id, frame, code, reason} of this.outbox.splice(0)) this.deliver(this.sockets.get(id), frame, code, reason);
    if (this.room.room_active()) {
      this.timer ??= setInterval(() => this.call((room) => room.room_step(tick * 1000)), tick);
    } else {
      clearInterval(this.timer);
      this.timer = undefined;
    }
  }

  deliver(socket, frame, code, reason) {
    try {
      if (code) socket?.close(code, reason);
      else socket?.send(frame);
    } catch {
      // The socket is gone; its close event comes.
    }
  }

  /** An empty room ends some time later. */
  expire() {
    this.ctx.storage.setAlarm(Date.now() + this.room.room_empty_time());
  }

  forget() {
    this.exists = false;
    this.fault = undefined;
    this.ctx.storage.deleteAlarm();
    this.ctx.storage.deleteAll();
  }

  async fetch(request) {
    if (request.headers.get('Upgrade')) return this.accept();
    if (request.method === 'POST') return this.create(await request.arrayBuffer());
    return this.exists ? Response.json({here: this.room.room_here()}) : Response.json({}, {status: 404});
  }

  create(asked) {
    if (this.exists || this.fault) return Response.json({}, {status: 409});
    this.put(new Uint8Array(asked));
    const length = this.room.room_create();
    if (length) return new Response(this.text(this.room.room_out(), length), {status: 422});
    this.exists = true;
    this.settle();
    this.expire();
    return Response.json({}, {status: 201});
  }

  accept() {
    const {0: client, 1: socket} = new WebSocketPair();
    if (!this.exists) {
      const reason = this.fault ?? noRoom;
      const code = this.fault ? 4500 : 4404;
      socket.accept();
      socket.send(JSON.stringify({type: 'end', code, reason}));
      socket.close(code, reason.slice(0, 120)); // a close frame has no more
      return new Response(null, {status: 101, webSocket: client});
    }
    this.ctx.acceptWebSocket(socket);
    const id = Math.max(0, ...this.sockets.keys()) + 1;
    socket.serializeAttachment({id, role: 0});
    this.sockets.set(id, socket);
    this.ctx.storage.deleteAlarm();
    this.call((room) => room.room_join(id));
    return new Response(null, {status: 101, webSocket: client});
  }

  webSocketMessage(socket, message) {
    const {id, role} = socket.deserializeAttachment();
    const frame = typeof message === 'string' ? encoder.encode(message) : new Uint8Array(); // which no room understands
    if (Math.max(frame.length, message.byteLength ?? 0) > this.room.room_max_frame()) {
      socket.close(1009, 'the frame is too large');
      return;
    }
    this.call((room) => {
      this.put(frame);
      room.room_receive(id);
      if (!role && room.room_role(id)) socket.serializeAttachment({id, role: room.room_role(id)});
    });
  }

  webSocketClose(socket) {
    const {id} = socket.deserializeAttachment();
    this.sockets.delete(id);
    this.deliver(socket, undefined, 1000);
    if (!this.exists) return;
    this.call((room) => room.room_leave(id));
    if (!this.sockets.size) this.expire();
  }

  webSocketError(socket) {
    this.webSocketClose(socket);
  }

  /** Nobody has been here for a long time. */
  alarm() {
    if (!this.sockets.size) this.forget();
  }
}
