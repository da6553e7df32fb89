// Node, Deno and Bun: what is asked for comes by standard input, and what was found goes to standard output.
import { readFileSync } from 'node:fs'
import * as sdk from '@delivery-dispatch/sdk'
import { exercise } from './exercise.mjs'

console.log(JSON.stringify(await exercise(sdk, JSON.parse(readFileSync(0, 'utf8')))))
