/* Functions that OpenCL C does not have, of floats and of vectors of WIDTH of them: polynomials, interpolated at
 * Chebyshev's nodes, of what is left of each function when its poles, its exponential or its logarithm are taken off.
 * No lane branches: each computes all pieces, and chooses. Each table is one of t from -1 to 1, its least power first.
 * */

constant float bessel_near_float[] = {
    0x1.a7f0ap-3f, -0x1.cedda2p-4f, 0x1.8322d6p-4f, -0x1.6cb838p-4f, 0x1.65c192p-4f, -0x1.5c0ce8p-4f,
    0x1.44be38p-4f, -0x1.1c858ap-4f, 0x1.d0b5cp-5f, -0x1.62dc34p-5f, 0x1.f16dbep-6f, -0x1.34f57ap-6f,
    0x1.7a9a86p-7f, -0x1.06bdd8p-7f, 0x1.113ccep-8f, -0x1.8bc84ap-11f, 0x1.b0b248p-12f, -0x1.beaf68p-11f,
    0x1.6d903ap-12f};
constant float bessel_far_float[] = {
    0x1.2bb7c4p+10f, 0x1.4090ccp+3f, 0x1.9fcd94p-2f, 0x1.0f5bd6p-5f, 0x1.205fc2p-8f, 0x1.1b6712p-10f,
    0x1.53b4b6p-12f};
constant float error_near_float[] = {
    0x1.805c5ep+0f, 0x1.3bb318p-1f, -0x1.abc3c4p-6f, -0x1.40b41ep-6f, 0x1.177beap-7f, -0x1.fbe0b4p-12f,
    -0x1.bb4f42p-11f, 0x1.29dfd8p-12f, 0x1.2a0f0ep-15f, -0x1.17acb2p-15f};
constant float error_far_float[] = {
    0x1.89d75p+1f, 0x1.031e9ap+0f, 0x1.6a2ed6p-8f, -0x1.ff76cp-9f, 0x1.57688p-9f, -0x1.d47afp-10f, 0x1.0c4eb2p-10f,
    -0x1.9153d2p-12f, -0x1.987edap-21f, 0x1.8045dp-14f, -0x1.203296p-15f};
constant float digamma_near_float[] = {
    0x1.e6f0ccp-1f, -0x1.b1cb68p-3f, 0x1.eca1a2p-5f, -0x1.2febbp-6f, 0x1.850a7cp-8f, -0x1.fc5feep-10f,
    0x1.4f02c8p-11f, -0x1.a65cb8p-13f, 0x1.150a3p-14f, -0x1.0c7f58p-15f, 0x1.70143p-17f};
constant float digamma_far_float[] = {
    0x1.0a9a14p-1f, 0x1.4f39a6p-6f, -0x1.75b03p-12f, -0x1.9d3ecep-14f, 0x1.b3fd16p-17f, 0x1.a7b87p-21f,
    -0x1.22ed58p-21f, 0x1.02e544p-24f};
constant float error_scaled_float[] = {
    0x1.3ccdap+0f, -0x1.1f3678p-3f, 0x1.d6109ap-9f, 0x1.51022p-4f, -0x1.bdb45cp-4f, 0x1.7a0bc2p-4f, -0x1.e06d8ap-5f,
    0x1.d13f7ap-6f, -0x1.429df8p-7f, 0x1.baac34p-10f, 0x1.9ff998p-12f, -0x1.dfb7bcp-13f};
constant float error_tail_float[] = {
    0x1.c7c0b4p+2f, 0x1.8333fp+1f, -0x1.2a79cp-8f, 0x1.43ce28p-12f, 0x1.77144ap-12f, -0x1.38f362p-12f,
    0x1.2edd1ep-13f, -0x1.3b08c6p-14f, 0x1.1a0a24p-14f, -0x1.ed384p-16f};
constant float exponential_near_float[] = {
    -0x1.11262cp-3f, 0x1.92e9a2p-2f, -0x1.7179c4p-5f, 0x1.3a4b9ep-8f, -0x1.cb2b92p-12f, 0x1.22df0cp-15f,
    -0x1.3eb208p-19f};
constant float exponential_middle_float[] = {
    0x1.5e32bap-1f, -0x1.b65024p-4f, 0x1.92589cp-6f, -0x1.b93844p-8f, 0x1.0d5bccp-9f, -0x1.63fb3ap-11f,
    0x1.ee6496p-13f, -0x1.40e8p-14f, 0x1.dab8f4p-16f, -0x1.493a9ep-16f, 0x1.084dd2p-17f};
constant float exponential_far_float[] = {
    0x1.cbe5bcp-1f, -0x1.589cecp-4f, 0x1.be3eep-7f, -0x1.7f4f1ap-9f, 0x1.8bd7cap-11f, -0x1.d0b30ap-13f,
    0x1.1550f8p-14f, -0x1.7ba30cp-16f, 0x1.ed9e74p-17f, -0x1.954772p-18f};
#ifdef cl_khr_fp64
constant double bessel_near_double[] = {
    0x1.a7f09f8eedf5ap-3, -0x1.cedda00486203p-4, 0x1.8322d1d8a3bbbp-4, -0x1.6cb8d0c915d86p-4, 0x1.65c235bfeaa82p-4,
    -0x1.5c028fe63a9afp-4, 0x1.44b6196a77ed5p-4, -0x1.1cd73a8f67af6p-4, 0x1.d11e10f610496p-5,
    -0x1.602411cd29ccfp-5, 0x1.ee6f564cd103cp-6, -0x1.427b0abb20a5p-6, 0x1.87e867bbf0eb2p-7, -0x1.bd25797d156e9p-8,
    0x1.da1a9f9b6596p-9, -0x1.dafac17d421f3p-10, 0x1.c0f4b0cdb7ca3p-11, -0x1.91769cab86861p-12,
    0x1.5496bf2fd4a74p-13, -0x1.13032aff50d27p-14, 0x1.a6d32be1ae42dp-16, -0x1.3427bf858c8eep-17,
    0x1.b16f3ef89dc93p-19, -0x1.3290c1cf13275p-20, 0x1.8ab0cd0db916ap-22, -0x1.70ff8349c1b17p-24,
    0x1.c33c49ed0dbc5p-26, -0x1.184eb721ebbb4p-26, 0x1.33362977da589p-28};
constant double bessel_far_double[] = {
    0x1.2bb7c304edda1p+10, 0x1.4090b4ac477ebp+3, 0x1.9fccb92a59916p-2, 0x1.101cebc2bd437p-5, 0x1.21e2721790972p-8,
    0x1.d0bce8aacf0bfp-11, 0x1.15530ade7a8d3p-12, 0x1.ebb15810fb018p-14, 0x1.0d6b99f83a5f1p-14,
    0x1.79d39ac3882c1p-16, -0x1.51770e0324b73p-16, -0x1.4f4df8720f22bp-15, -0x1.0e4dec4db8494p-16,
    0x1.79b89ae6da2e7p-16, 0x1.739d1bd3b1db9p-16, -0x1.5eae998e84a68p-17, -0x1.29c03f1207046p-16,
    0x1.301722b38b05cp-18, 0x1.6be25164faa24p-17, -0x1.c960fd2982196p-20, -0x1.43dfff20c30d4p-18,
    0x1.e90db58bd75b2p-22, 0x1.6e4194e3e565dp-20, -0x1.03661d88bfc19p-24, -0x1.846c48b401d95p-23};
constant double error_near_double[] = {
    0x1.805c5cff94d32p+0, 0x1.3bb3170c0477fp-1, -0x1.abc21101c9786p-6, -0x1.40b41ec6cb32dp-6, 0x1.1760b8eb00d28p-7,
    -0x1.fbe0b32b59182p-12, -0x1.b68ceeff8d5a2p-11, 0x1.29dfd7dc217c4p-12, 0x1.a6125cb57a223p-16,
    -0x1.17acb2013a703p-15, 0x1.1679328dce77dp-18};
constant double error_far_double[] = {
    0x1.0573b80a2d371p+2, 0x1.0373cf848f477p+1, 0x1.7f4932d358f8fp-9, -0x1.44bae33cb5dd5p-8, 0x1.c34041976f2adp-9,
    -0x1.200f6d0a72d9fp-9, 0x1.c5a993408e06p-10, -0x1.20d00e8ecd509p-10, 0x1.5c35598f0d6eap-11,
    -0x1.24b89d26a5aedp-9, 0x1.b48c1f8b4c1f8p-9, -0x1.e1d84de3bc64ep-11, -0x1.42e509db88e2p-10,
    0x1.5fb0c6b06be16p-11};
constant double digamma_near_double[] = {
    0x1.e6f0cbb873616p-1, -0x1.b1cb63005ee98p-3, 0x1.eca189b8e6f7bp-5, -0x1.2feeeb98a78cbp-6, 0x1.8512e59037ebbp-8,
    -0x1.fb44202a259cep-10, 0x1.4de9aa1802de8p-11, -0x1.b9f8b11b2f98ep-13, 0x1.25647156391a7p-14,
    -0x1.8635641765f08p-16, 0x1.03c0b2b60f6f7p-17, -0x1.5a06a23d62223p-19, 0x1.cd1f26d55994ep-21,
    -0x1.336df991b5f25p-22, 0x1.99e1aca26565dp-24, -0x1.0fb126d4c2892p-25, 0x1.69ba8fdd1d52cp-27,
    -0x1.fdacdb7508852p-29, 0x1.56c5b73aaffa6p-30, -0x1.2f41994664278p-32, 0x1.80260c257a44fp-34,
    -0x1.761380b8f00cep-34, 0x1.00b98a8f0aa04p-35};
constant double digamma_far_double[] = {
    0x1.0a9a13ee5fd33p-1, 0x1.4f39a52eddf1dp-6, -0x1.75b14b4414cffp-12, -0x1.9d3a7ce6dbd61p-14,
    0x1.b4aa97e7ea393p-17, 0x1.9fdde625f199ep-21, -0x1.339023045b7c4p-21, 0x1.58368c2f823e2p-24,
    0x1.c7ea349a4737cp-27, -0x1.3d427832a43f2p-27, 0x1.057bf3325e5ap-29, 0x1.593821f4a0045p-33,
    -0x1.1941ec8831aa1p-32, 0x1.a49a107397d21p-34, -0x1.b3146c80b6f62p-37, -0x1.671fa45d7b16bp-37,
    0x1.d2854f98fcbf1p-38, -0x1.501d5205c1ea5p-42, -0x1.331977852e2b1p-41};
constant double error_scaled_double[] = {
    0x1.3ccda0b5d5dc2p+0, -0x1.1f367683f89a5p-3, 0x1.d5f2948159e2p-9, 0x1.510169d096658p-4, -0x1.bda9309a28bep-4,
    0x1.7a14188a9ce86p-4, -0x1.e0d0fa6df428dp-5, 0x1.d0b0037d155f4p-6, -0x1.3f603c3682d81p-7, 0x1.cc3a0e7d99253p-10,
    0x1.33fb27421f98cp-12, -0x1.303fa49e236d5p-12, 0x1.b143d63ea931ep-15, 0x1.778b948121ce1p-16,
    -0x1.8002c11990e5bp-17, -0x1.0556aa18e657bp-20, 0x1.d65081c59291dp-20, -0x1.eb7b41166a177p-25,
    -0x1.1636c8002e495p-22, 0x1.8fa2f9fdc0311p-26, 0x1.4eb5efb28ed5dp-25, -0x1.01418b99efa2ep-28,
    -0x1.6b2228df54be4p-28, 0x1.55fb76b7dbddp-32, 0x1.e7a100062f385p-32};
constant double error_tail_double[] = {
    0x1.0cb74a0a769bcp+4, 0x1.5505b2d54be2fp+3, -0x1.d3c7f4675489cp-7, 0x1.ad1d8ca2fb38dp-8, -0x1.9345332d7f769p-9,
    0x1.65ffbaaeecbdcp-10, -0x1.f10c3774d67b4p-14, -0x1.d5c799b0b6c1bp-14, -0x1.64da74ed45514p-11,
    0x1.baa003aed22fap-12, 0x1.045523648daddp-11, -0x1.79106e0d99a5cp-12};
constant double exponential_near_double[] = {
    -0x1.11262ba8bb9b5p-3, 0x1.92e9a0720d3ecp-2, -0x1.7179c2ac4f81p-5, 0x1.3a4dba1c75d72p-8, -0x1.cb2d6660459fbp-12,
    0x1.20c319a547f6ap-15, -0x1.3cdd422320cd5p-19, 0x1.33836e79b853bp-23, -0x1.0b216d39898b5p-27,
    0x1.a3b40b99dbdd2p-32, -0x1.2e2f6e85771bp-36, 0x1.8dc287fd19b73p-41};
constant double exponential_middle_double[] = {
    0x1.5e32b9eab3a67p-1, -0x1.b6501a7b5163ep-4, 0x1.92588c421ce5dp-6, -0x1.b943c68dca378p-8, 0x1.0d655b8d11ee3p-9,
    -0x1.6203335662c6p-11, 0x1.eb1f5fd200894p-13, -0x1.634df1fd40617p-14, 0x1.09e4c8471d1afp-15,
    -0x1.994069db3a78p-17, 0x1.4279da2716946p-18, -0x1.03557366355b4p-19, 0x1.a87db11b167ecp-21,
    -0x1.600ba2fb20aebp-22, 0x1.28a00758d1cdep-23, -0x1.0411221cfba4p-24, 0x1.c1d149942dfb6p-26,
    -0x1.365ad3262e987p-27, 0x1.0cb4d61e2146dp-28, -0x1.17ab77c2b49d7p-28, 0x1.002979859c7d5p-29,
    0x1.58397509d64ap-31, -0x1.4b3cfc08f5f7cp-32, -0x1.b22d6f71c163fp-32, 0x1.953dd741ef3e5p-33};
constant double exponential_far_double[] = {
    0x1.cbe5bc299b793p-1, -0x1.589cebb3ba183p-4, 0x1.be40fdb08ce9bp-7, -0x1.7f52de4f547c3p-9, 0x1.8acf225fcb41cp-11,
    -0x1.cedc4f9afde7p-13, 0x1.2b63bd43712f6p-14, -0x1.a2c61fc74cadfp-16, 0x1.38393a5bc3edep-17,
    -0x1.eb3737e99a4b4p-19, 0x1.9480fcf6c965fp-20, -0x1.5a49feb78a544p-21, 0x1.331e2461e4a44p-22,
    -0x1.1d7c92f953463p-23, 0x1.0dc585f47bc59p-24, -0x1.a94cba2b437cdp-26, 0x1.8e4503a5286c3p-27,
    -0x1.136e0b76929c7p-26, 0x1.39bbcebad5faap-27, 0x1.1ca3ece072a87p-27, -0x1.6aea227b1ac96p-28,
    -0x1.2541a802c03b9p-27, 0x1.668d943ec64dp-28, 0x1.e8fd7559bd0d8p-29, -0x1.2db687758b4e8p-29,
    -0x1.eb8aa11b7c25p-31, 0x1.2b6d143e6b36p-31};
#endif

#include "parts/bessel.cl"

#define POLYNOMIAL(T, name, table, t)                                                                                  \
    T name = (T)(table[sizeof(table) / sizeof(table[0]) - 1]);                                                         \
    for (int i = (int)(sizeof(table) / sizeof(table[0])) - 2; i >= 0; i--)                                             \
        name = mad(name, t, (T)(table[i]));

/* The greater and the lesser of x and a limit; a NaN stays. */
#define AT_LEAST(T, x, limit) (x < (T)(limit) ? (T)(limit) : x)
#define AT_MOST(T, x, limit) (x > (T)(limit) ? (T)(limit) : x)

/* Beyond its ends the inverse is none. */
#define ERROR_ENDS(T, x, y) fabs(x) == (T)(1) ? x * (T)(INFINITY) : fabs(x) > (T)(1) ? (T)(NAN) : y

#define REAL float
#define IS_DOUBLE 0
#define ERROR_FAR 4.25f
#define ERROR_TAIL 10.25f
#define ROOT 0x1.762d86p+0f
#define ROOT_REST 0x1.ab5f2p-27f
#define REALS float
#define INTS int
#include "templates/special.cl"
#if WIDTH > 1
#define REALS JOIN(float, WIDTH)
#define INTS JOIN(int, WIDTH)
#include "templates/special.cl"
#endif
#undef REAL
#undef IS_DOUBLE
#undef ERROR_FAR
#undef ERROR_TAIL
#undef ROOT
#undef ROOT_REST
#ifdef cl_khr_fp64
#define REAL double
#define IS_DOUBLE 1
#define ERROR_FAR 6.25
#define ERROR_TAIL 27.5
#define ROOT 0x1.762d86356be3fp+0
#define ROOT_REST 0x1.b86a722197829p-54
#define REALS double
#define INTS int
#include "templates/special.cl"
#if WIDTH > 1
#define REALS JOIN(double, WIDTH)
#define INTS JOIN(int, WIDTH)
#include "templates/special.cl"
#endif
#undef REAL
#undef IS_DOUBLE
#undef ERROR_FAR
#undef ERROR_TAIL
#undef ROOT
#undef ROOT_REST
#endif

#define SPECIAL(f, TYPE, a) JOIN(f##_, TYPE)(a)
#define SPECIAL2(f, TYPE, a, b) JOIN(f##_, TYPE)(a, b)
#define SPECIAL3(f, TYPE, a, b, c) JOIN(f##_, TYPE)(a, b, c)
