// Everything that only the workspace needs; the gallery is there without it.

import './menu/actions.ts';
import './phone/phone.ts';
import './picture/stage.ts';
import './say.ts';
import './side/side.ts';
import './time/time.ts';
