const extension =
  /\.(?:pem|key|crt|cert?|der|p12|pfx|jks|json|ya?ml|toml|ini|conf|cfg|env|txt|log|csv|xml|html?|css|[jt]sx?|mjs|py|rb|go|rs|java|sh|sql|db|png|jpe?g|gif|svg|webp|pdf|md|zip|gz|tgz|tar)$/i;

/** Whether a value is the name of a file, with a path or without: `uploads/3f0c9a1e.png`. */
export function isFileName(value: string): boolean {
  return extension.test(value) && /^[\w@./\\:~ -]+$/.test(value);
}
