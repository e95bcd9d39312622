// Which engine the page talks to. Development puts another one in before the
// page is loaded; everywhere else it stays the worker.

import {Engine} from './client.ts';

export const choice: {make: () => Pick<Engine, 'open' | 'play' | 'view' | 'detail' | 'act' | 'text' | 'close'>} = {make: () => new Engine()};
