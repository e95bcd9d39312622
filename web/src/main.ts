import {restoreTheme} from './theme.ts';
import './lab.ts';

restoreTheme();
