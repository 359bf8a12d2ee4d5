/**
 * What the kubelet, gRPC and containerd put in front of the reason, each with the name of the image once
 * more.
 */
const wrappers = [
  /^Failed to pull image "[^"]*": /,
  /^Back-off pulling image "[^"]*": /,
  /^(?:ErrImagePull|ImagePullBackOff): /,
  /^rpc error: code = \w+ desc = /,
  /^failed to pull and unpack image "[^"]*": /,
  /^failed to resolve (?:reference|image) "[^"]*": /,
];

/** Each level of a client adds one or two. */
const maxWrappers = 10;

/** The part of an error message that states the reason: `web:1.1: not found`. The evidence has all of it. */
export function shortPullError(message: string): string {
  let short = message;
  for (let removed = 0; removed < maxWrappers; removed += 1) {
    const wrapper = wrappers.find((each) => each.test(short));
    const rest = wrapper === undefined ? '' : short.replace(wrapper, '');
    if (rest === '') break;
    short = rest;
  }
  return short;
}
