/** Longer than a call to the payment provider may take, so that its own verdict is told and not that of our clock. */
export const PROVIDER_DEADLINE_MS = 25_000

/** The description of an identity provider may have to be read first. */
export const SIGN_ON_BEGIN_MS = 10_000

/** Of the code, of the keys and of the person an identity provider is asked one after the other. */
export const SIGN_ON_COMPLETE_MS = 20_000
