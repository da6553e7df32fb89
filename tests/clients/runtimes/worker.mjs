// An edge runtime: what is asked for comes by a request.

import { exercise } from 'exercise.mjs'
import * as sdk from 'sdk/index.js'

export default {
  async fetch(request) {
    const found = await exercise(sdk, await request.json()).catch((error) => ({ failed: String(error.stack ?? error) }))
    return Response.json(found)
  },
}
