/** The services that each process calls. Each of these pairs has a secret of its own, and no other pair has one. */
export const CALLS: Readonly<Record<string, readonly string[]>> = {
  gateway: ['admin', 'dispatch', 'ingestion', 'order', 'wallet', 'webhook'],
  order: ['dispatch', 'wallet'],
  dispatch: ['admin', 'order', 'wallet'],
  wallet: ['admin', 'dispatch'],
  ingestion: ['admin', 'order'],
  webhook: ['admin'],
}

/** The processes that call a service. */
export const callersOf = (service: string): readonly string[] =>
  Object.keys(CALLS).filter((from) => CALLS[from]?.includes(service))

/** Rpcs by the rpc that is being answered: its service calls them as the person who called it. Other rpcs pass no person on. */
export const PASSED_ON: Readonly<Record<string, readonly string[]>> = {
  'svc.order.v1.OrderService/CreateOrder': [
    'svc.dispatch.v1.PricingService/PriceOrder',
    'svc.dispatch.v1.AssignmentService/CheckAssignable',
    // By the release before, which may run beside this one: since then the order service asks for many at once, as itself.
    'svc.wallet.v1.WalletService/CheckFunds',
  ],
  'svc.order.v1.OrderService/PreflightOrder': [
    'svc.dispatch.v1.PricingService/PriceOrder',
    'svc.dispatch.v1.AssignmentService/CheckAssignable',
  ],
  'svc.order.v1.SimulatorService/CreateSimulatorOrder': [
    'svc.dispatch.v1.PricingService/PriceOrder',
    'svc.dispatch.v1.AssignmentService/CheckAssignable',
    'svc.wallet.v1.WalletService/CheckFunds',
  ],
  'svc.order.v1.FulfilmentService/UpdateRiderOrderStatus': ['svc.dispatch.v1.ProofService/ClaimPodPhoto'],
  'svc.dispatch.v1.AssignmentService/AssignRider': ['svc.order.v1.OrderService/GetOrder'],
  'svc.dispatch.v1.AssignmentService/ListDispatchCandidates': ['svc.order.v1.OrderService/GetOrder'],
  'svc.dispatch.v1.AssignmentService/GetDispatchTrace': ['svc.order.v1.OrderService/GetOrder'],
  'svc.dispatch.v1.AssignmentService/AcceptDispatchOffer': ['svc.order.v1.FulfilmentService/GetRiderOrder'],
  'svc.dispatch.v1.ProofService/RequestPodOtp': ['svc.order.v1.FulfilmentService/GetRiderOrder'],
  'svc.dispatch.v1.ProofService/VerifyPodOtp': ['svc.order.v1.FulfilmentService/GetRiderOrder'],
  'svc.wallet.v1.TopupService/CreateTopupIntent': ['svc.admin.v1.MerchantService/GetAccount'],
  'svc.wallet.v1.PayoutService/ApproveWithdrawal': ['svc.admin.v1.OperatorService/CheckSecondApprover'],
  'svc.wallet.v1.PayoutService/RetryWithdrawal': ['svc.admin.v1.OperatorService/CheckSecondApprover'],
  'svc.wallet.v1.CashService/ResolveRemittance': ['svc.admin.v1.OperatorService/CheckSecondApprover'],
  'svc.wallet.v1.CashService/ApproveCashAdjustment': ['svc.admin.v1.OperatorService/CheckSecondApprover'],
  'svc.wallet.v1.PayoutService/RequestWithdrawal': ['svc.dispatch.v1.RiderService/GetRiderAccount'],
  'svc.wallet.v1.BillingService/CreateSubscriptionIntent': ['svc.admin.v1.MerchantService/GetAccount'],
}

/** The service that serves an rpc. */
export const serviceOf = (rpc: string): string => rpc.split('.')[1] ?? ''
