/** The file for `node --import`: starts tracing before anything else is loaded. */
import { recordsSpans } from './records-spans.ts'

// What records is a sixth of the CPU of a start: a process whose spans go nowhere does without.
await (recordsSpans(process.env) ? import('./record-spans.ts') : import('./pass-traces-on.ts'))
