/** The file for `node --import`: starts tracing before anything else is loaded. */
import { recordsSpans } from './records-spans.ts'

// What records costs a fifth of a start to load: a process whose spans go nowhere does without.
await (recordsSpans(process.env) ? import('./record-spans.ts') : import('./pass-traces-on.ts'))
