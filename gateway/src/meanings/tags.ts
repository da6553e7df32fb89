/** What the groups of the API reference are for. */
export const OF_TAGS: Readonly<Record<string, string>> = {
  Orders: 'Place orders, follow them, change and cancel them ([guide](/docs/guides/orders)).',
  Shipments:
    'Many orders from one pickup: made in one call or from a file, priced, then submitted together ([guide](/docs/guides/shipments)).',
  Simulator:
    'The sandbox: orders that play themselves, a rider who does what you say, time that passes when you ask ([guide](/docs/guides/sandbox)).',
  'Outbound webhook':
    'Where your events are posted, how they are signed, and what became of each delivery ([guide](/docs/guides/webhooks)).',
  Events:
    'The log of your events: read it where webhooks cannot reach you, or have them sent again ([guide](/docs/guides/webhooks#catch-up)).',
  Tracking: 'What a customer may see of one order, for whoever has its link ([guide](/docs/guides/tracking)).',
  'Coverage and prices': 'Where deliveries are possible, and what they cost ([guide](/docs/guides/quotes)).',
  'Riders of a merchant': 'The riders who work for you: where they are and what they do.',
  'Dispatch of a merchant': 'How riders are found for your orders ([guide](/docs/guides/dispatch)).',
  Realtime:
    'How to follow riders live, by a socket; /asyncapi.json describes its messages ([guide](/docs/guides/dispatch#live)).',
  Fleet: 'Riders of your own: invite them, list them, let them go ([guide](/docs/guides/dispatch#your-own-fleet)).',
  Wallet: 'Your prepaid money: balance, entries, top-ups, withdrawals ([guide](/docs/guides/wallet)).',
  'Cash on delivery':
    'Cash that riders collected for you, and how it gets to you ([guide](/docs/guides/cash-on-delivery)).',
  Billing: 'Your subscription and what you have used of it ([guide](/docs/guides/wallet#the-subscription)).',
  'Inbound hooks': 'Channels by which orders of other systems come in ([guide](/docs/guides/inbound-hooks)).',
  'Messaging app': 'Take orders by a messaging app.',
  'Riders: joining': 'How somebody becomes a rider ([guide](/docs/guides/rider-apps#join)).',
  'Riders: log-in': "How a rider's app gets and renews its token ([guide](/docs/guides/rider-apps#log-in)).",
  'Riders: work': 'What a rider reports and sees during work ([guide](/docs/guides/rider-apps#carry-it)).',
  'Riders: offers': 'Orders that are offered to a rider ([guide](/docs/guides/rider-apps#be-asked)).',
  'Riders: money':
    'What a rider has earned, has in hand, and withdraws ([guide](/docs/guides/rider-apps#what-it-earned-and-what-it-holds)).',
  Authentication: 'Log in, renew and end tokens, set passwords ([guide](/docs/guides/authentication)).',
  Contact: 'Write to the operator of the platform.',
  Inquiries: 'For operators: what people have written.',
  System: 'What apps need to know before anybody logs in.',
  'API keys': 'Make, rotate and revoke the keys of your programs ([guide](/docs/guides/api-keys)).',
  'Workspace grants':
    'Let another merchant act for yours, within scopes that you choose ([guide](/docs/guides/team-access)).',
  Account: 'Your business, its verification and its users ([guide](/docs/guides/going-live)).',
  Operators: 'For operators: accounts, roles and log-in of operators ([guide](/docs/guides/operators)).',
  'Audit log': 'For operators: who changed what, and when ([guide](/docs/guides/operators#the-audit-log)).',
  Merchants:
    'For operators: merchants, their approval and their settings ([guide](/docs/guides/operators#what-comes-in-every-day)).',
  'API keys of all merchants': 'For operators: keys of merchants.',
  'Dispatch of all merchants': 'For operators: zones, schedules and areas.',
  'Money of all merchants': 'For operators: wallets, commissions and escrow.',
  'Inbound hooks of all merchants': 'For operators: hooks that could not be made into orders, and channels.',
  'Withdrawals of all owners':
    'For operators: withdrawals that wait for a decision ([guide](/docs/guides/operators#what-comes-in-every-day)).',
  'Cash of all merchants': 'For operators: cash in the hands of riders, and hand-overs in dispute.',
  'Rate cards': 'For operators: what deliveries cost.',
  'Riders of all merchants': 'For operators: riders, their approval and their tokens.',
  'Orders of all merchants': 'For operators: orders of every merchant.',
  'Deliveries of all merchants': 'For operators: webhook deliveries of every merchant.',
  'Hooks of providers': 'Where third parties post what they sign ([guide](/docs/guides/inbound-hooks)).',
  Operations: 'Health, keys and descriptions of the API itself.',
}
