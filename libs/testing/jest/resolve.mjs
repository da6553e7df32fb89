import { registerHooks } from 'node:module'

const globals = new URL('./globals.mjs', import.meta.url).href
const isSource = (url) => /\.m?ts(\?|$)/.test(url ?? '')

// How tests find what they import: what is imported by a source are sources, as for services by `--conditions=source`. Set
// here, and not for the process, it is not handed down to what a test starts, and what is built stays among what is built.
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@jest/globals') return { url: globals, shortCircuit: true }
    return next(specifier, isSource(context.parentURL) ? { conditions: ['source', ...context.conditions] } : undefined)
  },
})
