/** The one rider of every simulated order, in every tenant. Clients rely on these values: they never change. */
export const SANDBOX_RIDER = {
  id: '5a4d0b0c-0000-4000-8000-000000000001',
  name: 'Sandbox Rider',
  phone: '+2348000000000',
  vehicleType: 'motorcycle',
} as const
