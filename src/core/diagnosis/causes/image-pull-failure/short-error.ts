/** What the kubelet, gRPC and containerd put in front of the reason, each with the name of the image once more. */
const wrappers = [
  /^Failed to pull image "[^"]*": /,
  /^Back-off pulling image "[^"]*": /,
  /^(?:ErrImagePull|ImagePullBackOff): /,
  /^rpc error: code = \w+ desc = /,
  /^failed to pull and unpack image "[^"]*": /,
  /^failed to resolve (?:reference|image) "[^"]*": /,
];

/** The part of an error message that states the reason: `web:1.1: not found`. The evidence has all of it. */
export function shortPullError(message: string): string {
  const wrapper = wrappers.find((each) => each.test(message));
  const rest = wrapper === undefined ? '' : message.replace(wrapper, '');
  return rest === '' ? message : shortPullError(rest);
}
