import type { Context } from '../../context.ts'

/** The public keys by which tokens verify: the current one, and the previous one while its tokens live. */
export const getJwks = ({ signingKeys }: Context) => signingKeys.jwks
