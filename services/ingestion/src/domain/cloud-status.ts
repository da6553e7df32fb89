import type { CloudAsset } from './cloud-asset.ts'

/** The phone number by which a merchant talks to its customers. */
export interface CloudConnection extends CloudAsset {
  connectedAt: Date
}

/** How a merchant stands with the messaging app's cloud. */
export interface CloudStatus {
  connection: CloudConnection | null
  /** The signup that waits for the choice of a number; an earlier connection stands until it is made. */
  pending: { id: string; expiresAt: Date } | null
}

/** In one word: what is to be done comes before what is there. */
export function cloudState({ connection, pending }: CloudStatus): 'not_connected' | 'meta_oauth_pending' | 'connected' {
  if (pending) return 'meta_oauth_pending'
  return connection ? 'connected' : 'not_connected'
}
