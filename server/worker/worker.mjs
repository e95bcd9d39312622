// The Worker: WebSockets go to the room's Durable Object, what is asked over HTTP
// to the Go handler. Static files never come here (wrangler.jsonc).
import go from './build/worker.mjs';
export {Room} from './room.mjs';

const tooMany = 'there are too many rooms here already; try again in a minute';

/** As server.Allowed in Go. */
function allowed(request, env) {
  const origin = request.headers.get('Origin');
  if (!origin || (env.ORIGINS ?? '').split(' ').includes(origin)) return true;
  return URL.canParse(origin) && new URL(origin).host === request.headers.get('Host');
}

export default {
  async fetch(request, env, ctx) {
    const path = new URL(request.url).pathname;
    if (!path.startsWith('/ws/')) {
      if (request.method === 'POST' && env.CREATIONS) {
        const {success} = await env.CREATIONS.limit({key: request.headers.get('CF-Connecting-IP') ?? ''});
        if (!success) return Response.json({error: tooMany}, {status: 429, headers: {'Retry-After': '60'}});
      }
      return go.fetch(request, env, ctx);
    }
    if (request.headers.get('Upgrade')?.toLowerCase() !== 'websocket') {
      return new Response('expected a WebSocket', {status: 426, headers: {Upgrade: 'websocket'}});
    }
    if (!allowed(request, env)) {
      return new Response('pages of this origin may not use the rooms of this server', {status: 403});
    }
    const code = path.slice('/ws/'.length).replace(/%20|-/g, '').toUpperCase().slice(0, 6);
    return env.ROOM.get(env.ROOM.idFromName(code)).fetch(request);
  },
};
