/// What a binding propagates instead of the present value of an endpoint.
class BindingPayload {}
