import type { SERVICES } from '../services.ts'

type Table = typeof SERVICES
type Definitions = Table[keyof Table][1]
type Reply<Rpc> = Rpc extends { responseDeserialize(bytes: Buffer): infer Message } ? Message : never
type Rpcs<Definition> = Definition extends unknown ? keyof Definition : never
type Answer<Definition, Rpc> = Definition extends unknown
  ? Rpc extends keyof Definition
    ? Reply<Definition[Rpc]>
    : never
  : never

/** What each rpc that the gateway may call answers with. */
export type RpcReplies = { [Rpc in Rpcs<Definitions>]: Answer<Definitions, Rpc> }
