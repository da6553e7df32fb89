import type { Caller } from './caller.ts'

const passes = new WeakMap<Caller, string>()

/**
 * What the gateway signed for the services to which a person's call may be passed on. It belongs to the very object that
 * the call came with: a caller that was copied or changed is passed on to no service.
 */
export const keepPass = (caller: Caller, pass: string): void => void passes.set(caller, pass)
export const passOf = (caller: Caller): string | undefined => passes.get(caller)
