/** Users of a broker, who come over TLS with a password and may do what its ACLs allow. */
export interface KafkaGuard {
  /** Passwords by user. The superuser is among them. */
  users: Readonly<Record<string, string>>
  /** Whom every ACL allows everything. */
  superuser: string
  /** PEM file with the key and the certificate of the broker. */
  keystore: string
  /** Where the broker speaks with itself, as a superuser without a password. */
  internalPort: number
}

/** What a broker is told beside the rest, so that it asks who comes and refuses what no ACL allows. */
export function guarded({ superuser, keystore, internalPort }: KafkaGuard, port: number, controller?: string) {
  const internal = `INTERNAL://127.0.0.1:${internalPort}`
  return {
    listeners: [`CLIENTS://127.0.0.1:${port}`, internal, ...(controller ? [controller] : [])].join(),
    'advertised.listeners': `CLIENTS://127.0.0.1:${port},${internal}`,
    'listener.security.protocol.map': 'CLIENTS:SASL_SSL,INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'inter.broker.listener.name': 'INTERNAL',
    'ssl.keystore.type': 'PEM',
    'ssl.keystore.location': keystore,
    'sasl.enabled.mechanisms': 'SCRAM-SHA-512',
    'listener.name.clients.scram-sha-512.sasl.jaas.config':
      'org.apache.kafka.common.security.scram.ScramLoginModule required;',
    'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    'allow.everyone.if.no.acl.found': false,
    'super.users': `User:ANONYMOUS;User:${superuser}`,
  }
}

/** Arguments of the format of a new broker: its users, who have to be known before anybody can make them. */
export const scramUsers = ({ users }: KafkaGuard): string[] =>
  Object.entries(users).flatMap(([name, password]) => [
    '--add-scram',
    `SCRAM-SHA-512=[name=${name},password=${password}]`,
  ])
