import { registerHooks } from 'node:module'

const url = new URL('./globals.mjs', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url, shortCircuit: true } : next(specifier, context),
})
