export const id = '0191e4a0-5c1e-4a7e-9f4b-2f6d0f1f9a11'
export const at = '2026-11-21T10:15:30.000Z'
export const page = { total: 1, limit: 50, offset: 0 }
