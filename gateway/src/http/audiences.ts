/** Whom the operations below a tag are for, in the order in which they are shown. */
const TAGS = {
  merchant: [
    'Orders',
    'Shipments',
    'Simulator',
    'Outbound webhook',
    'Events',
    'Tracking',
    'Coverage and prices',
    'Riders of a merchant',
    'Dispatch of a merchant',
    'Realtime',
    'Fleet',
    'Wallet',
    'Cash on delivery',
    'Billing',
    'Inbound hooks',
    'Messaging app',
    'Authentication',
    'API keys',
    'Workspace grants',
    'Account',
    'Contact',
    'System',
  ],
  rider: ['Riders: joining', 'Riders: log-in', 'Riders: work', 'Riders: offers', 'Riders: money'],
  operator: [
    'Operators',
    'Audit log',
    'Merchants',
    'API keys of all merchants',
    'Dispatch of all merchants',
    'Money of all merchants',
    'Inbound hooks of all merchants',
    'Withdrawals of all owners',
    'Cash of all merchants',
    'Rate cards',
    'Riders of all merchants',
    'Orders of all merchants',
    'Deliveries of all merchants',
    'Inquiries',
    'Operations',
  ],
  provider: ['Hooks of providers'],
} as const

export type Audience = keyof typeof TAGS

/** A heading of the API reference. */
export type Tag = (typeof TAGS)[Audience][number]

export const AUDIENCES = Object.keys(TAGS) as [Audience, ...Audience[]]

const NAMES: Readonly<Record<Audience, string>> = {
  merchant: 'Merchants',
  rider: 'Riders',
  operator: 'Operators',
  provider: 'Providers',
}

/** The tags of an OpenAPI document with what they mean, and their groups as reference pages understand them. */
export const tagsFor = (audiences: readonly Audience[], meanings: Readonly<Record<string, string>>) => ({
  tags: audiences.flatMap((audience) => TAGS[audience].map((name) => ({ name, description: meanings[name] }))),
  'x-tagGroups': audiences.map((audience) => ({ name: NAMES[audience], tags: [...TAGS[audience]] })),
})

export const isFor = (audience: Audience, tags: readonly string[] = []): boolean =>
  tags.some((tag) => (TAGS[audience] as readonly string[]).includes(tag))
