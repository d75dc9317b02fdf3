/**
 * International nonproprietary names of medicines in common use, in lower case, and United States
 * names where they differ.
 */
const generics = `
abacavir abatacept acarbose acebutolol acetaminophen acetazolamide acyclovir adalimumab albuterol
alendronate alfuzosin alirocumab allopurinol almotriptan alprazolam amantadine amikacin amiloride
amiodarone amitriptyline amlodipine amoxicillin amphotericin ampicillin anastrozole apixaban
apremilast aripiprazole atazanavir atenolol atomoxetine atorvastatin azathioprine azelastine
azithromycin baclofen beclomethasone benazepril benztropine betamethasone bicalutamide bisoprolol
bictegravir brexpiprazole bumetanide buprenorphine bupropion buspirone cabergoline calcitriol
canagliflozin candesartan capecitabine captopril carbamazepine carbidopa carboplatin carisoprodol
carvedilol cefaclor cefadroxil cefazolin cefdinir cefepime cefixime cefpodoxime ceftriaxone
cefuroxime celecoxib cephalexin cetirizine chlorambucil chlordiazepoxide chlorhexidine chloroquine
chlorpromazine chlorthalidone cilostazol cinacalcet ciprofloxacin cisplatin citalopram
clarithromycin clindamycin clobetasol clomiphene clomipramine clonazepam clonidine clopidogrel
clotrimazole clozapine codeine colchicine colesevelam cyclobenzaprine cyclophosphamide cyclosporine
dabigatran dapagliflozin dapsone daptomycin darunavir dasatinib denosumab desipramine desloratadine
desmopressin desvenlafaxine dexamethasone dexmethylphenidate dextroamphetamine diazepam diclofenac
dicyclomine digoxin diltiazem diphenhydramine dipyridamole disulfiram divalproex docetaxel dofetilide
dolutegravir donepezil dorzolamide doxazosin doxepin doxorubicin doxycycline dronedarone duloxetine
dulaglutide dupilumab dutasteride edoxaban efavirenz eletriptan empagliflozin emtricitabine enalapril
enoxaparin entacapone entecavir eplerenone epoetin erlotinib ertapenem erythromycin escitalopram
esomeprazole estradiol eszopiclone etanercept ethambutol etodolac etoposide everolimus evolocumab
exemestane exenatide ezetimibe famciclovir famotidine febuxostat felodipine fenofibrate fentanyl
fexofenadine filgrastim finasteride flecainide fluconazole fludrocortisone fluorouracil fluoxetine
fluphenazine fluticasone fluvastatin fluvoxamine fondaparinux formoterol fosfomycin fosinopril
furosemide gabapentin galantamine gemcitabine gemfibrozil gentamicin glatiramer glibenclamide
gliclazide glimepiride glipizide glyburide guaifenesin guanfacine haloperidol heparin hydralazine
hydrochlorothiazide hydrocodone hydrocortisone hydromorphone hydroxychloroquine hydroxyurea
hydroxyzine ibandronate ibuprofen imatinib imipenem imipramine indapamide indomethacin infliximab
ipratropium irbesartan isoniazid isosorbide isotretinoin itraconazole ivabradine ivermectin
ketoconazole ketorolac labetalol lacosamide lamivudine lamotrigine lansoprazole latanoprost
leflunomide lenalidomide letrozole leucovorin levetiracetam levocetirizine levofloxacin levonorgestrel
levothyroxine linagliptin linezolid liothyronine liraglutide lisdexamfetamine lisinopril loperamide
loratadine lorazepam losartan lovastatin lurasidone meclizine medroxyprogesterone mefloquine meloxicam
memantine meropenem mesalamine metaxalone metformin methadone methimazole methocarbamol methotrexate
methyldopa methylphenidate methylprednisolone metoclopramide metolazone metoprolol metronidazole
midodrine minocycline minoxidil mirabegron mirtazapine misoprostol modafinil montelukast morphine
moxifloxacin mupirocin mycophenolate nabumetone nadolol naloxone naltrexone naproxen nebivolol
nifedipine nirmatrelvir nitrofurantoin nitroglycerin nivolumab norethindrone nortriptyline nystatin
ofloxacin olanzapine olmesartan omalizumab omeprazole ondansetron oseltamivir oxaliplatin oxcarbazepine
oxybutynin oxycodone oxymorphone paclitaxel paliperidone pantoprazole paracetamol paroxetine
pembrolizumab penicillin perindopril phenazopyridine phenelzine phenobarbital phentermine phenytoin
pioglitazone piperacillin pitavastatin pramipexole prasugrel pravastatin prazosin prednisolone
prednisone pregabalin primidone probenecid prochlorperazine promethazine propafenone propranolol
propylthiouracil pyrazinamide pyridostigmine quetiapine quinapril rabeprazole raloxifene raltegravir
ramipril ranitidine ranolazine rasagiline remdesivir repaglinide rifampin rifaximin risedronate
risperidone ritonavir rituximab rivaroxaban rivastigmine rizatriptan ropinirole rosuvastatin sacubitril
salbutamol salmeterol saxagliptin secukinumab selegiline semaglutide sertraline sevelamer sildenafil
simvastatin sirolimus sitagliptin sofosbuvir solifenacin sotalol spironolactone sucralfate
sulfamethoxazole sulfasalazine sumatriptan tacrolimus tadalafil tamoxifen tamsulosin tapentadol
telmisartan temazepam tenofovir terazosin terbinafine teriflunomide theophylline ticagrelor timolol
tiotropium tirzepatide tizanidine tobramycin tocilizumab tofacitinib tolterodine topiramate torsemide
tramadol trandolapril trastuzumab trazodone triamcinolone triamterene trimethoprim upadacitinib
ursodiol ustekinumab valacyclovir valganciclovir valproate valsartan vancomycin vardenafil varenicline
vedolizumab venlafaxine verapamil vilazodone vincristine voriconazole vortioxetine warfarin
zafirlukast zidovudine ziprasidone zolmitriptan zolpidem zonisamide`;

/** Brands that are not also ordinary words, in lower case. */
const brands = `
abilify accutane adderall advair advil aleve allegra ambien amoxil aricept arimidex atripla augmentin
avodart azilect bactrim benadryl benicar biktarvy botox brilinta bumex bystolic cardizem celebrex
celexa chantix cialis cipro claritin clozaril colcrys concerta coreg coumadin cozaar crestor cymbalta
depakote descovy dilantin dilaudid diovan dupixent effexor eliquis enbrel entresto entyvio epipen
farxiga flagyl flomax flonase flovent focalin fosamax genvoya gleevec glucophage glucotrol humalog
humira imitrex imodium inderal invokana januvia jardiance kaletra keflex keppra keytruda klonopin
lamictal lantus lasix latuda levaquin levemir levitra levothroid lexapro lipitor loestrin lopressor
losec lovenox lunesta lyrica macrobid medrol metamucil micardis mobic motrin mounjaro namenda naprosyn
nasonex neurontin nexium norco normodyne norvasc novolog nucynta opdivo orencia otezla oxycontin ozempic
pamelor paxil paxlovid pepcid percocet plaquenil plavix pradaxa pravachol prevacid prilosec prinivil
prolia protonix proventil prozac pulmicort reglan remeron remicade requip restoril revlimid rexulti
risperdal ritalin rituxan robaxin rybelsus seroquel simponi sinemet singulair skyrizi spiriva stelara
strattera suboxone subutex symbicort synthroid tamiflu tegretol tenormin topamax toprol toujeo
tremfya tresiba tricor trileptal trintellix trulicity truvada tylenol ultram valium valtrex
vasotec ventolin viagra vicodin victoza viibryd vraylar vyvanse wegovy wellbutrin xanax xarelto xeljanz
xolair xyzal zanaflex zantac zepbound zestoretic zestril zetia zithromax zocor zofran zoloft zomig
zovirax zyban zyprexa zyrtec`;

/** Generic names in French. */
const accented = `ibuprofène lévothyroxine oméprazole paracétamol furosémide kétoprofène`;

/**
 * Substances that people also eat, smoke or have in their bodies. They count only in a medical
 * context.
 */
const everyday = `aspirin insulin nicotine testosterone melatonin progesterone oxytocin lithium dopamine
epinephrine adrenaline cortisone lidocaine ketamine cannabidiol`;

function namesIn(list: string): readonly string[] {
  return list.trim().split(/\s+/);
}

/** Without an E at the end, because other languages write A, E, O or nothing there. */
export const genericStems: readonly string[] = [
  ...new Set([...namesIn(generics), ...namesIn(accented)].map((name) => name.replace(/e$/, ""))),
];
export const brandNames: readonly string[] = namesIn(brands);
export const everydayMedicationNames: readonly string[] = namesIn(everyday);
