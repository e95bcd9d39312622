// The module that a page names. What it consists of stands in the engine's
// folder, so that `rebalance-lab.js?v=2` is still one engine and one element.

export {RebalanceLab} from './element.ts';
