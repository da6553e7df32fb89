import { hold } from './spare.mjs'

await hold()
