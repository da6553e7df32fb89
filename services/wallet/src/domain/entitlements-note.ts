const NOTES: Readonly<Record<string, string>> = {
  pay_as_you_go:
    'Deliveries are paid one by one from the wallet; nothing is included and nothing is due without orders.',
  hybrid:
    'The subscription includes an allowance of deliveries per cycle; each further delivery costs the overage fee.',
  saas: 'The subscription includes the platform; deliveries are made by the own fleet or paid from the wallet.',
  enterprise: 'Platform and deliveries are billed as agreed in the contract.',
}

/** What a tier comprises, in a sentence. */
export const entitlementsNote = (tier: string): string => NOTES[tier] ?? NOTES['pay_as_you_go']!
