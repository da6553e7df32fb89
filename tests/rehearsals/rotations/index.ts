import type { Rotation } from '../rotation.ts'
import { callers } from './callers.ts'
import { hookKeys } from './hook-keys.ts'
import { sealed } from './sealed.ts'
import { tokens } from './tokens.ts'

export const ROTATIONS: readonly Rotation[] = [callers, tokens, hookKeys, sealed]
