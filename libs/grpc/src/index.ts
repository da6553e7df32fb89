export {
  type Access,
  admit,
  anyone,
  either,
  type Grant,
  inPerson,
  keyOnly,
  liveOnly,
  loginOnly,
  merchant,
  money,
  operator,
  ownKey,
  payee,
  publicly,
  rider,
  service,
} from './access.ts'
export { type By, held, merchantNamed, riderOf, systemBy } from './by.ts'
export { type Actor, type Caller, type Standing, systemCaller } from './caller.ts'
export { type CallerSecrets, callerSecretFromEnv, callerSecretsFromEnv, peerSecretFromEnv } from './caller-secrets.ts'
export { callerSigner, callerVerifier } from './caller-signature.ts'
export type { Call, Handlers, Promised, ServiceDefinition } from './definition.ts'
export { type AsOptions, type Client, type GrpcClientOptions, grpcClient } from './grpc-client.ts'
export { type GrpcServerOptions, grpcServer } from './grpc-server.ts'
export { type Rpc, type Rpcs, rpc, type Served, served, serving } from './serving.ts'
export type { Scope, Tenant } from './tenant.ts'
export { type Applied, UnreachableError } from './unreachable-error.ts'
